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
      file, = result.respond_to?(:source_location) ? result.source_location : nil
      write(event: 'end', class: klass, name: result.name, file: file, status: status, assertions: result.assertions,
            kind: failure && failure.class.name, error: raised && raised.class.name,
            message: failure && failure.message.to_s[0, 2000], setup: fixture?(raised), at: place(file, raised))
    end

    # Whether the set-up or tear-down of a test raised it; `before` and `after` of a spec define such methods.
    FIXTURE = /in [`'](?:[\w:]+#)?(?:before_|after_)?(?:setup|teardown)'\z|spec\.rb:\d+:in [`']block in (?:[\w:]+#)?(?:before|after)'\z/.freeze

    def fixture?(raised)
      ((raised && raised.backtrace) || []).any? { |frame| frame.match?(FIXTURE) }
    end

    # The line of the test's own file that was left last.
    def place(file, raised)
      frame = file && ((raised && raised.backtrace) || []).find { |one| one.start_with?("#{file}:") }
      frame && [file, frame[(file.size + 1)..-1].to_i]
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

  # Limits a run to the wanted tests.
  class Aim
    def initialize(path)
      require 'json'
      @aim = JSON.parse(File.read(path, encoding: 'UTF-8'))
    end

    # Rake gives the files of all tests to a loader.
    def limit_files
      files = @aim['files']
      return unless files && File.basename($PROGRAM_NAME) == 'rake_test_loader.rb'

      ARGV.select! { |word| word.start_with?('-') || !File.file?(word) || files.include?(File.realpath(word)) }
    end

    # Minitest asks both for the method and for `Class#method`.
    def filter
      "/^(?:#{@aim['tests'].map { |test| pattern(test) }.join('|')})$/"
    end

    private

    def pattern(test)
      klass, method = test['id'].split(' > ', 2)
      return "#{Regexp.escape(klass)}##{Regexp.escape(method)}" if method
      return '.*' if test['name'].empty?

      # `it "adds"` is `test_0001_adds`, and `test "adds up"` is `test_adds_up`.
      name = Regexp.escape(test['name']).gsub(/(\\ |\s)+/, '[_ ]')
      "(?:.*#)?(?:test_\\d+_|test_)?#{name}"
    end
  end

  class << self
    attr_accessor :armed, :aim
  end
end

if ENV['GIT_TCR_OUT']
  if ENV['GIT_TCR_AIM']
    TcrMinitest.aim = TcrMinitest::Aim.new(ENV['GIT_TCR_AIM'])
    TcrMinitest.aim.limit_files
  end
  TracePoint.new(:end) do |trace|
    if trace.self.to_s == 'Minitest' && Minitest.respond_to?(:extensions) && !TcrMinitest.armed
      TcrMinitest.armed = true
      trace.disable
      Minitest.singleton_class.class_eval do
        def plugin_tcr_init(options)
          ENV.delete('GIT_TCR_AIM')
          options[:filter] = options[:include] = TcrMinitest.aim.filter if TcrMinitest.aim
          # What the tests start themselves is not the run.
          out = ENV.delete('GIT_TCR_OUT')
          reporter << TcrMinitest::Reporter.new(File.join(out, "minitest-#{Process.pid}.jsonl")) if out
        end
      end
      Minitest.extensions << 'tcr'
    end
  end.enable
end
