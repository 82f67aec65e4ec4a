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
      var upper = options.filter { $0.name == "config" }
      for option in upper {
        try apply(option, from: invocation, environment, file: nil)
      }
      let file: ConfigurationFile? =
        if let configurationFile { try ConfigurationFile(path: configurationFile) } else { nil }
      upper = options.filter { $0.name != "config" }
      for option in upper {
        try apply(option, from: invocation, environment, file: file)
      }
      try checkPreviews()
    } catch {
      throw UsageError(error.message, command: invocation.command)
    }
  }

  private mutating func apply(
    _ option: CommandOption,
    from invocation: Invocation,
    _ environment: Environment,
    file: ConfigurationFile?
  ) throws(UsageError) {
    var origin = "--\(option.name)"
    var values = invocation.values[option.name] ?? []
    if values.isEmpty, option.reach != .commandLine,
      let text = environment[option.environmentName], !text.isEmpty
    {
      origin = option.environmentName
      values = option.values(inEnvironment: text)
    }
    if values.isEmpty, option.reach == .everywhere, let file {
      origin = file.origin(of: option)
      values = try file.values(of: option)
    }
    guard !values.isEmpty else { return }
    do {
      try option.apply(values, &self)
    } catch {
      let value = error.value.map { " is '\($0.withoutSecrets.cutInTheMiddle(to: 100))'" }
      throw UsageError("\(origin)\(value.map { $0 + "; it" } ?? "") \(error.requirement)")
    }
  }
}
