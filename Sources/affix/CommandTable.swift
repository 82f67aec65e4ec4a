/// What `affix` can be told to do; the one list behind parsing, suggestions and help.
enum Command: String, Sendable, CaseIterable {
  case check
  case preview
  case list
  case version
  case help

  /// What follows the command's name in its usage line.
  var operands: String {
    switch self {
    case .check: "[options] SOURCE..."
    case .preview: "[options] SOURCE -o OUT"
    case .list: "[options] policies|codes|options"
    case .version: ""
    case .help: "[COMMAND]"
    }
  }

  /// What the command does, in a line.
  var summary: String {
    switch self {
    case .check: "fetch, inspect and judge attachments, and make their previews"
    case .preview: "write only the preview of one attachment"
    case .list: "print the policies, the codes that reports use, or the options of check"
    case .version: "print the version"
    case .help: "explain a command"
    }
  }

  private static let units =
    "TIME is written 500ms, 30s or 2m; SIZE 300kB (300,000), 300KiB (307,200) or 50MB."

  /// What a user must know besides the options, as paragraphs.
  var details: [String] {
    switch self {
    case .check:
      [
        "SOURCE is an http or https address, a file's path, or '-': sources on standard input, "
          + "one a line. '--' ends the options.",
        Self.units,
        "Exit status: 0 every source is deliverable, 1 at least one is rejected, 2 at least one "
          + "could not be obtained or checked, 64 wrong usage, 70 a fault of affix, 130 and 143 "
          + "interrupted.",
      ]
    case .preview:
      [
        "SOURCE is an http or https address or a file's path. OUT is a file, written all at once "
          + "or not at all, or '-' for standard output.",
        Self.units,
        "Exit status: 0 the preview is written; 1 the source is rejected (its preview is written "
          + "where one can be made), or no preview of it can be made; 2 the source could not be "
          + "obtained or checked; 64 wrong usage; 70 a fault of affix.",
      ]
    case .list, .version, .help:
      []
    }
  }
}
