# RUBYOPT=-r<this>: adds a reporter to Minitest as soon as a program loads it.
module TcrMinitest
  class Reporter
    def initialize(path)
      require 'json'
      @io = File.open(path, 'a')
      @io.sync = true
    end

    def start
      write(event: 'start')
    end

    def prerecord(klass, name)
      write(event: 'begin', class: klass.name, name: name)
    end

    def record(result)
      status = result.skipped? ? 'skipped' : result.passed? ? 'passed' : 'failed'
      failure = result.failure
      raised = failure.respond_to?(:error) ? failure.error : failure
      klass = result.respond_to?(:klass) ? result.klass : result.class.name
      write(event: 'end', class: klass, name: result.name, status: status, assertions: result.assertions,
            kind: failure && failure.class.name, error: raised && raised.class.name,
            message: failure && failure.message.to_s[0, 2000], setup: fixture?(raised))
    end

    # Whether the set-up or tear-down of a test raised it; `before` and `after` of a spec define such methods.
    FIXTURE = /in [`'](?:[\w:]+#)?(?:before_|after_)?(?:setup|teardown)'\z|spec\.rb:\d+:in [`']block in (?:[\w:]+#)?(?:before|after)'\z/.freeze

    def fixture?(raised)
      ((raised && raised.backtrace) || []).any? { |frame| frame.match?(FIXTURE) }
    end

    def report
      write(event: 'finish')
    end

    def passed?
      true
    end

    private

    def write(line)
      line = line.transform_values { |value| value.is_a?(String) ? value.encode('UTF-8', invalid: :replace, undef: :replace) : value }
      @io.puts(JSON.generate(line))
    rescue StandardError => error
      @io.puts(JSON.generate(event: 'unreadable', message: error.class.name))
    end
  end

  class << self
    attr_accessor :armed
  end
end

if ENV['GIT_TCR_OUT']
  TracePoint.new(:end) do |trace|
    if trace.self.to_s == 'Minitest' && Minitest.respond_to?(:extensions) && !TcrMinitest.armed
      TcrMinitest.armed = true
      trace.disable
      Minitest.singleton_class.class_eval do
        def plugin_tcr_init(_options)
          # What the tests start themselves is not the run.
          out = ENV.delete('GIT_TCR_OUT')
          reporter << TcrMinitest::Reporter.new(File.join(out, "minitest-#{Process.pid}.jsonl")) if out
        end
      end
      Minitest.extensions << 'tcr'
    end
  end.enable
end
