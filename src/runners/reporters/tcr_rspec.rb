# rspec --require <this>: tells in the JSON of a run that names its examples and runs none.
begin
  require "rspec/core/formatters/json_formatter"
  RSpec::Core::Formatters::JsonFormatter.prepend(Module.new do
    def stop(notification)
      super
      @output_hash[:dry_run] = true if RSpec.configuration.dry_run?
    end
  end)
rescue LoadError
  # Another RSpec: its JSON stays as it is.
end

# Only the files of wanted examples are loaded, and of these only the wanted ones run.
begin
  # What the examples start themselves is not the run.
  aim = ENV.delete("GIT_TCR_AIM")
  if aim
    require "json"
    aim = JSON.parse(File.read(aim, encoding: "UTF-8"))
    files = aim["files"]
    if files
      RSpec::Core::Configuration.prepend(Module.new do
        define_method(:files_to_run) do
          super().select { |file| files.include?(File.realpath(file)) }
        end
      end)
    end
    pattern = aim["pattern"]
    RSpec.configure { |config| config.filter_run_including(full_description: Regexp.new(pattern)) } if pattern
  end
rescue LoadError, SystemCallError
  # All examples run.
end
