/// One option, and everything that parsing, error text, help, environment and configuration files
/// need to know of it.
struct CommandOption: Sendable {
  /// What its value is.
  enum Kind: Sendable, Hashable {
    case flag
    case duration
    case size
    case count
    case text
    case file
  }

  /// Where a value may be written besides the command line.
  enum Reach: Sendable, Hashable {
    /// Also in the environment and in configuration files.
    case everywhere
    /// Also in the environment.
    case environment
    /// Nowhere else.
    case commandLine
  }

  /// Without dashes, as in `stall-timeout`; also the key in configuration files.
  let name: String
  /// The one-letter form, if there is one.
  var short: Character?
  /// What its value is.
  let kind: Kind
  /// What stands for the value in help; empty for flags.
  var placeholder = ""
  /// Whether several values add up; otherwise the last one counts.
  var isRepeatable = false
  /// What separates several values in the environment.
  var separator: Character = ","
  /// Where a value may be written.
  var reach = Reach.everywhere
  /// The values that it takes, where they are known; with `file` also the path of one.
  var choices: [String] = []
  /// The default, as a user would write it; absent where there is none to speak of.
  var defaultText: String?
  /// What it does, in a line.
  let help: String
  /// The commands that take it.
  let commands: Set<Command>
  /// Puts the values, one unless the option is repeatable, into the settings.
  let apply: @Sendable ([String], inout Settings) throws(InvalidValue) -> Void

  /// What every option's name in the environment begins with.
  static let environmentPrefix = "AFFIX_"

  /// The name in the environment, as in `AFFIX_STALL_TIMEOUT`.
  var environmentName: String {
    Self.environmentPrefix + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
  }

  /// How it is written on a command line, with its placeholder.
  var spelling: String {
    let dashes = (short.map { "-\($0), " } ?? "") + "--\(name)"
    return placeholder.isEmpty ? dashes : "\(dashes) \(placeholder)"
  }

  /// The values that an environment variable's text holds, without the spaces around them.
  func values(inEnvironment text: String) -> [String] {
    guard isRepeatable else { return [text] }
    return text.split(separator: separator).map { piece in
      let start = piece.drop { $0 == " " }
      let end = start.lastIndex { $0 != " " }
      return end.map { String(start[...$0]) } ?? ""
    }
  }
}
