import Reporting

extension Settings {
  /// The settings that a command line asks for, with what it leaves open taken from the
  /// environment, then from the configuration file, then from the defaults.
  ///
  /// A place that sets a repeatable option replaces the lower places' values, so that a list in a
  /// file can be overruled.
  ///
  /// - Parameters:
  ///   - invocation: The command line.
  ///   - environment: Where `AFFIX_...` is looked up.
  /// - Throws: A value that its option does not take, with its place.
  init(_ invocation: Invocation, environment: Environment) throws(UsageError) {
    self.init()
    do {
      let options = OptionTable.options(of: invocation.command)
      for option in options where option.name == "config" {
        _ = try apply(option, from: invocation, environment, file: nil)
      }
      let file: ConfigurationFile? =
        if let configurationFile { try ConfigurationFile(path: configurationFile) } else { nil }
      var origins: [String: OptionOrigin] = [:]
      for option in options where option.name != "config" {
        origins[option.name] = try apply(option, from: invocation, environment, file: file)
      }
      try checkConflicts(origins)
      try checkPreviews()
    } catch {
      throw UsageError(error.message, command: invocation.command)
    }
  }

  /// Puts an option's values into the settings.
  ///
  /// - Returns: Where they were given; nothing where they were not, or where a flag is off.
  private mutating func apply(
    _ option: CommandOption,
    from invocation: Invocation,
    _ environment: Environment,
    file: ConfigurationFile?
  ) throws(UsageError) -> OptionOrigin? {
    var origin = OptionOrigin(place: .commandLine, words: "--\(option.name)")
    var values = invocation.values[option.name] ?? []
    if values.isEmpty, option.reach != .commandLine,
      let text = environment[option.environmentName], !text.isEmpty
    {
      origin = OptionOrigin(place: .environment, words: option.environmentName)
      values = option.values(inEnvironment: text)
    }
    if values.isEmpty, option.reach == .everywhere, let file {
      origin = OptionOrigin(place: .file, words: file.origin(of: option))
      values = try file.values(of: option)
    }
    guard !values.isEmpty else { return nil }
    do {
      try option.apply(values, &self)
    } catch {
      let value = error.value.map { " is '\($0.withoutSecrets.cutInTheMiddle(to: 100))'" }
      throw UsageError("\(origin.words)\(value.map { $0 + "; it" } ?? "") \(error.requirement)")
    }
    return option.isOff(values) ? nil : origin
  }
}
