# RUBYOPT=-r<this>: listens to test-unit as soon as a program loads it.
module TcrTestUnit
  module Told
    def run(*args, &block)
      # What the tests start themselves is not the run.
      out = ENV.delete('GIT_TCR_OUT')
      TcrTestUnit.listen(self, File.join(out, "test-unit-#{Process.pid}.jsonl")) if out
      result = super
      TcrTestUnit.write(event: 'end') if out
      result
    end
  end

  class << self
    attr_accessor :armed

    def write(line)
      line = line.transform_values { |value| value.is_a?(String) ? value.encode('UTF-8', invalid: :replace, undef: :replace) : value }
      @io.puts(JSON.generate(line))
    end

    def id_of(test)
      "#{test.class.name} > #{test.method_name}"
    end

    def listen(mediator, path)
      require 'json'
      @io = File.open(path, 'a')
      @io.sync = true
      write(event: 'start')
      faults = []
      mediator.add_listener(Test::Unit::TestResult::FAULT) { |fault| faults << fault }
      mediator.add_listener(Test::Unit::TestCase::STARTED_OBJECT) do |test|
        faults.clear
        write(event: 'begin', id: id_of(test))
      end
      mediator.add_listener(Test::Unit::TestCase::FINISHED_OBJECT) { |test| ended(test, faults) }
    end

    # Failures and errors come before what only leaves a test out.
    def rank(fault)
      case fault
      when Test::Unit::Error then 3
      when Test::Unit::Failure then 2
      when Test::Unit::Notification then 0
      else 1
      end
    end

    def ended(test, faults)
      fault = faults.max_by { |one| rank(one) }
      fault = nil if fault.is_a?(Test::Unit::Notification)
      file, at = place(test, fault)
      line = { id: id_of(test), file: file, status: 'passed', at: fault && at && [file, at] }
      case fault
      when Test::Unit::Failure
        line.update(status: 'failed', kind: 'AssertionFailedError', message: fault.message.to_s[0, 2000])
      when Test::Unit::Error
        line.update(status: 'error', kind: fault.exception.class.name, message: fault.message.to_s[0, 2000])
      when nil
      else
        line.update(status: 'skipped')
      end
      write(line.compact)
    end

    def place(test, fault)
      file, = test.class.instance_method(test.method_name).source_location
      frame = ((fault && fault.location) || []).find { |one| one.to_s.start_with?("#{file}:") }
      [file, frame && frame.to_s[(file.size + 1)..-1].to_i]
    rescue NameError
      [nil, nil]
    end
  end
end

if ENV['GIT_TCR_OUT']
  TracePoint.new(:end) do |trace|
    if trace.self.to_s == 'Test::Unit::UI::TestRunnerMediator' && !TcrTestUnit.armed && trace.self.method_defined?(:run)
      TcrTestUnit.armed = true
      trace.disable
      trace.self.prepend(TcrTestUnit::Told)
    end
  end.enable
end
