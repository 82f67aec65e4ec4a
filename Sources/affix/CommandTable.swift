/// What `affix` can be told to do; the one list behind parsing, suggestions and help.
enum Command: String, Sendable, CaseIterable {
  case check
  case preview
  case serve
  case health
  case list
  case version
  case help

  /// What follows the command's name in its usage line.
  var operands: String {
    switch self {
    case .check: "[options] SOURCE..."
    case .preview: "[options] SOURCE -o OUT"
    case .serve: "[options]"
    case .health: "[options] [URL]"
    case .list: "[options] " + choices.joined(separator: "|")
    case .version: ""
    case .help: "[COMMAND|manual|completion]"
    }
  }

  /// The operands that it takes, where they are known.
  var choices: [String] {
    switch self {
    case .check, .preview, .serve, .health, .version: []
    case .list: ListCommand.Topic.allCases.map(\.rawValue)
    case .help: Command.allCases.map(\.rawValue) + ["manual", "completion"]
    }
  }

  /// Whether a file can be an operand.
  var takesFiles: Bool {
    self == .check || self == .preview
  }

  /// What the command does, in a line.
  var summary: String {
    switch self {
    case .check: "fetch, inspect and judge attachments, and make their previews"
    case .preview: "write only the preview of one attachment"
    case .serve: "serve checks over HTTP to push back ends"
    case .health: "ask a service whether it lives, for container probes"
    case .list: "print the policies, the codes that reports and answers use, or the options"
    case .version: "print the version"
    case .help: "explain a command, or print a manual page or a completion script"
    }
  }

  /// What is made unasked, so that nobody wonders where a misspelt folder came from.
  private static func folders(_ options: String) -> String {
    "The folder of \(options) is made where it is missing, with all above it; a file is written "
      + "only into a folder that is there."
  }

  private static let units =
    "TIME is written 500ms, 30s, 2m or 1h; SIZE 300kB (300,000), 300KiB (307,200) or 50MB."

  /// What a user must know besides the options, as paragraphs.
  var details: [String] {
    switch self {
    case .check:
      [
        "SOURCE is an http or https address, a file's path, or '-': sources on standard input, "
          + "one a line. Blank lines and lines that begin with '#' are left out there; a file of "
          + "such a name is './#name'. '--' ends the options.",
        Self.units,
        Self.folders("--output or --cache"),
        "Exit status: 0 every source is deliverable, or there is none, as in an empty list; 1 at "
          + "least one is rejected; 2 (before 1) at least one could not be obtained or checked; 64 "
          + "wrong usage; 70 a fault of affix or of the machine; 128 and the signal's number where SIGHUP, "
          + "SIGINT, SIGQUIT or SIGTERM ended it, as in 130 and 143, with nothing left behind.",
      ]
    case .preview:
      [
        "SOURCE is an http or https address or a file's path. OUT is a file, written all at once "
          + "or not at all, or '-' for standard output.",
        Self.units,
        Self.folders("--cache"),
        "Exit status: 0 the preview is written; 1 the source is rejected (its preview is written "
          + "where one can be made), or no preview of it can be made; 2 the source could not be "
          + "obtained or checked; 64 wrong usage; 70 a fault of affix or of the machine; 128 and "
          + "the signal's number where one ended it.",
      ]
    case .serve:
      [
        "GET /openapi.json describes what can be asked. Logs go to standard error, a JSON object a "
          + "line.",
        "The service is open to this machine alone, unless there are tokens: one a line in the file "
          + "of --tokens-file, with a label before it or without one. Without them it does not "
          + "listen on other addresses.",
        "SIGTERM, SIGINT, SIGQUIT and SIGHUP drain: readiness turns to 503, work under way ends "
          + "within its budget, the exit status is 0. A second one, but for SIGHUP, stops at once, "
          + "with 128 and the first one's number.",
        Self.units,
        Self.folders("--results or --cache"),
        "Exit status: 0 drained; 64 wrong usage; 70 a fault of affix or of the machine; 128 and "
          + "a signal's number where a second one stopped it.",
      ]
    case .health:
      [
        "Asks for /healthz where --listen says, over HTTPS with --tls-certificate, or at URL, as in "
          + "https://push.example.com:8470; a URL with a path is asked for as it is.",
        "The service's own --tls-certificate is trusted, whoever signed it; at a URL, where no "
          + "--ca-file says whom to trust. It has to name the address that is asked: where it has a "
          + "name only, give the URL.",
        "Exit status: 0 the service lives; 1 it does not, or says no; 64 wrong usage.",
      ]
    case .help:
      [
        "'affix help manual | man -l -' shows the manual page, which has examples; 'source <(affix "
          + "help completion)' teaches completion to the bash that you are in."
      ]
    case .list, .version:
      []
    }
  }
}
