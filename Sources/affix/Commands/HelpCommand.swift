import Reporting

/// `affix help`: everything in it is read off the tables of commands and options.
struct HelpCommand: Sendable {
  private static let width = 80

  /// The name of the command to explain, `manual` for all of them as a manual page, `completion` for
  /// a script that completes them in a shell; at most one.
  let operands: [String]

  /// Prints the help of a command, or the list of them.
  func run() throws(UsageError) -> ExitStatus {
    guard let name = operands.first else { return StandardOutput.print(Self.overview) }
    guard operands.count == 1 else {
      throw UsageError("help explains one command at a time", command: .help)
    }
    if name == "manual" { return StandardOutput.print(ManualPage().text) }
    if name == "completion" { return StandardOutput.print(CompletionScript().text) }
    guard let command = Command(rawValue: name) else {
      let hint = Suggestion.hint(for: name, among: Command.allCases.map(\.rawValue))
      throw UsageError("there is no command '\(name.withoutSecrets)'\(hint)")
    }
    return StandardOutput.print(Self.text(for: command))
  }

  /// The usage line of a command.
  static func usage(of command: Command) -> String {
    let operands = command.operands
    return "affix \(command.rawValue)" + (operands.isEmpty ? "" : " \(operands)")
  }

  /// A few lines for those who gave no command.
  static var shortUsage: String {
    let lines = Command.allCases.map { "  \(usage(of: $0))" }
    return (["usage:"] + lines + ["'affix help COMMAND' explains a command"])
      .joined(separator: "\n")
  }

  private static var overview: String {
    let rows = Command.allCases.map { ($0.rawValue, $0.summary) }
    return """
      affix decides, before a push is sent, whether its media will be shown.

      Usage: affix COMMAND [options] ...

      Commands:
      \(columns(rows))

      'affix help COMMAND' or 'affix COMMAND --help' explains a command.
      """
  }

  private static func text(for command: Command) -> String {
    var parts = ["Usage: \(usage(of: command))", sentence(command.summary)]
    let options = OptionTable.options(of: command)
    let rows = options.map { ($0.spelling, explanation(of: $0)) } + [("-h, --help", "print this")]
    parts.append("Options:\n" + columns(rows))
    parts += command.details.map { wrapped($0, to: width).joined(separator: "\n") }
    if options.contains(where: { $0.reach == .everywhere }) {
      parts.append(wrapped(precedence(of: options), to: width).joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  private static func precedence(of options: [CommandOption]) -> String {
    let file = options.contains { $0.name == "config" } ? "then the file of --config, " : ""
    var text =
      "Of an option given twice the last one counts, unless it is repeatable. Where the command line says nothing, the environment counts (AFFIX_ and the option's "
      + "name, as in \(example(options))), \(file)then the default."
    if options.contains(where: { $0.isRepeatable && $0.reach != .commandLine }) {
      text +=
        " There, commas separate the values of a repeatable option, line breaks those of --header; "
        + "in the file they are an array."
    }
    return text
  }

  private static func example(_ options: [CommandOption]) -> String {
    (options.first { $0.name == "stall-timeout" } ?? options.first)?.environmentName ?? ""
  }

  private static func explanation(of option: CommandOption) -> String {
    var text = option.help
    if option.isRepeatable { text += "; repeatable" }
    if let value = option.defaultText { text += " [default: \(value)]" }
    return text
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Names to the left, explanations wrapped to the right.
  private static func columns(_ rows: [(String, String)]) -> String {
    let left = min(32, (rows.map(\.0.count).max() ?? 0) + 4)
    return rows.map { name, text in
      var lines = wrapped(text, to: width - left)
      let label = "  \(name)"
      var first = label.padded(to: left)
      if label.count > left - 2 {
        first = label + "\n" + String(repeating: " ", count: left)
      }
      lines[0] = first + lines[0]
      return lines.joined(separator: "\n" + String(repeating: " ", count: left))
    }.joined(separator: "\n")
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
