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
            + "capitals, with underscores for hyphens; of one given twice on the command line the last "
            + "counts, unless it is repeatable. NO_COLOR and TMPDIR are honoured."
        ),
        ".SH EXAMPLES",
      ] + Self.examples.flatMap(example)
    return lines.joined(separator: "\n")
  }

  /// What people come for, each with a command that works as it stands once its files are there.
  private static let examples = [
    ("Is this fit to be sent to iPhones?", "affix check --policy apple photo.jpg"),
    (
      "In a pipeline: the files and addresses in a list, a JSON object each, and a report beside.",
      "affix check --json --report junit --report-file media.xml - <urls.txt"
    ),
    (
      "Keep what would be delivered: files, previews, and mended versions of what would not be.",
      "affix check --repair --output media photo.jpg"
    ),
    (
      "Only a preview, of at most 100 kB and 800 pixels.",
      "affix preview --preview-bytes 100kB --preview-size 800 photo.jpg -o preview.jpg"
    ),
    (
      "Serve other machines; tokens.txt has a token of at least 16 characters a line.",
      "affix serve --listen 0.0.0.0:8470 --tokens-file tokens.txt"
    ),
  ]

  private func example(_ purpose: String, _ command: String) -> [String] {
    [".PP", Self.escaped(purpose), ".PP", ".RS 4", ".nf", Self.escaped(command), ".fi", ".RE"]
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
