import Reporting

/// A command line, taken apart but not yet judged.
struct Invocation: Sendable {
  /// What to do.
  var command: Command
  /// The values of options, by name, in the order given.
  var values: [String: [String]] = [:]
  /// Whatever is no option.
  var operands: [String] = []
  /// Whether only an explanation is wanted.
  var wantsHelp = false
}

/// Takes command lines apart by the option table.
enum CommandLineParser {
  /// Reads the arguments behind the program's name.
  ///
  /// - Parameter arguments: At least one; without any there is no command.
  /// - Returns: The command with its options and operands.
  /// - Throws: An unknown command or option, or an option without its value.
  static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
    guard let first = arguments.first else { throw UsageError("no command is given") }
    var invocation: Invocation
    switch first {
    case "-h", "--help": invocation = Invocation(command: .help)
    case "--version": invocation = Invocation(command: .version)
    default: invocation = Invocation(command: try command(named: first))
    }
    let options = OptionTable.options(of: invocation.command)
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      if argument == "--" {
        invocation.operands += rest
        break
      }
      if argument == "-h" || argument == "--help" {
        invocation.wantsHelp = true
      } else if argument.hasPrefix("-"), argument != "-" {
        try read(argument, options: options, following: &rest, into: &invocation)
      } else {
        invocation.operands.append(argument)
      }
    }
    return invocation
  }

  private static func command(named name: String) throws(UsageError) -> Command {
    if let command = Command(rawValue: name) { return command }
    if name.hasPrefix("-"), name != "-" {
      throw UsageError("the command comes first, as in 'affix check \(optionName(name)) ...'")
    }
    let hint = Suggestion.hint(for: name, among: Command.allCases.map(\.rawValue))
    if hint.isEmpty, name == "-" || name.contains("/") || name.contains(".") {
      throw UsageError(
        "'\(name.withoutSecrets)' is no command; to check it, write 'affix check SOURCE'"
      )
    }
    throw UsageError("there is no command '\(name.withoutSecrets)'\(hint)")
  }

  private static func read(
    _ argument: String,
    options: [CommandOption],
    following rest: inout ArraySlice<String>,
    into invocation: inout Invocation
  ) throws(UsageError) {
    let command = invocation.command
    let option: CommandOption
    var attached: String?
    if argument.hasPrefix("--") {
      let name = optionName(argument).dropFirst(2)
      guard let found = options.first(where: { $0.name == name }) else {
        throw UsageError(unknown(String(name), options: options, command), command: command)
      }
      option = found
      if let sign = argument.firstIndex(of: "=") {
        attached = String(argument[argument.index(after: sign)...])
      }
    } else {
      let letter = argument.dropFirst().first
      guard let found = options.first(where: { $0.short != nil && $0.short == letter }) else {
        throw UsageError(unknown(short: optionName(argument), command), command: command)
      }
      option = found
      if argument.count > 2 { attached = String(argument.dropFirst(2)) }
    }
    let value: String
    if let attached {
      value = attached
    } else if option.kind == .flag {
      value = "true"
    } else if let next = rest.popFirst() {
      value = next
    } else {
      throw UsageError(
        "--\(option.name) needs a value: --\(option.name) \(option.placeholder)",
        command: command
      )
    }
    invocation.values[option.name, default: []].append(value)
  }

  /// An option without the value behind its equals sign, which may be a secret.
  private static func optionName(_ argument: String) -> String {
    String(argument.prefix { $0 != "=" })
  }

  private static func unknown(short argument: String, _ command: Command) -> String {
    if argument.count > 2 {
      return "there is no option '\(argument)'; long options begin with two dashes"
    }
    let other = OptionTable.all.first { $0.short != nil && $0.short == argument.last }
    guard let other, let owner = other.commands.map(\.rawValue).min() else {
      return "there is no option '\(argument)'"
    }
    return "'\(command.rawValue)' has no option '\(argument)'; it belongs to '\(owner)'"
  }

  private static func unknown(
    _ name: String,
    options: [CommandOption],
    _ command: Command
  ) -> String {
    let hint = Suggestion.hint(for: name, among: options.map(\.name) + ["help"], prefix: "--")
    let owners = Set(OptionTable.all.filter { $0.name == name }.flatMap(\.commands))
    if hint.isEmpty, let owner = Command.allCases.first(where: owners.contains) {
      return "'\(command.rawValue)' has no option '--\(name)'; it belongs to '\(owner.rawValue)'"
    }
    return "there is no option '--\(name)'\(hint)"
  }
}
