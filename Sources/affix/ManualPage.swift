/// The manual page, made of the tables of commands and options (man(7)).
struct ManualPage: Sendable {
  /// The page's source, for `man -l` or a folder of MANPATH.
  var text: String {
    let lines =
      [
        #".TH AFFIX 1 "" "Affix \#(Version.number)" "User Commands""#,
        ".SH NAME", #"affix \- decides, before a push is sent, whether its media will be shown"#,
        ".SH SYNOPSIS",
      ] + Command.allCases.flatMap(synopsis) + [".SH COMMANDS"] + Command.allCases.flatMap(section)
      + [
        ".SH ENVIRONMENT",
        Self.escaped(
          "Every option but those of the command line alone can be given by AFFIX_ and its name in "
            + "capitals, with underscores for hyphens. NO_COLOR and TMPDIR are honoured."
        ),
      ]
    return lines.joined(separator: "\n")
  }

  private func synopsis(_ command: Command) -> [String] {
    // A blank line would be a paragraph.
    let operands = [Self.escaped(command.operands)].filter { !$0.isEmpty }
    return [".B affix \(command.rawValue)"] + operands + [".br"]
  }

  private func section(_ command: Command) -> [String] {
    let options = OptionTable.options(of: command)
    let head = [".SS \(command.rawValue)", Self.escaped(Self.sentence(command.summary))]
    return head + options.flatMap(entry) + command.details.flatMap { [".PP", Self.escaped($0)] }
  }

  private func entry(_ option: CommandOption) -> [String] {
    var help = Self.sentence(option.help)
    if option.isRepeatable { help += " Repeatable." }
    if let value = option.defaultText { help += " Default: \(value)." }
    return [".TP", #"\fB\#(Self.escaped(option.spelling))\fR"#, Self.escaped(help)]
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Text as man(7) takes it: hyphens that can be copied, and no line that looks like a request.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: #"\e"#).replacing("-", with: #"\-"#)
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? #"\&"# + plain : plain
  }
}
