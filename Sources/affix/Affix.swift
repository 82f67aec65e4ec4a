import DecoderSandbox
import Glibc

@main
struct Affix {
  /// Has the work done elsewhere, and keeps the first thread for signals.
  ///
  /// An asynchronous entry point would give that thread to `dispatch_main`, which takes every
  /// signal's block off it.
  static func main() {
    DecoderProcess.runIfAsked(CommandLine.arguments)
    let signals = SignalWatch()
    // A reader that goes away shows as EPIPE, which ends the run quietly.
    signal(SIGPIPE, SIG_IGN)
    occupyStandardDescriptors()
    raiseDescriptorLimit()
    demandDescriptors()
    // Detached, since the actor of this function has no thread but the one that waits below.
    let work = Task.detached { await run(Array(CommandLine.arguments.dropFirst()), signals) }
    signals.onSignal { work.cancel() }
    Task.detached {
      let status = await work.value
      exit((signals.status ?? status).rawValue)
    }
    signals.watch()
  }

  private static func run(_ arguments: [String], _ signals: SignalWatch) async -> ExitStatus {
    guard !arguments.isEmpty else {
      try? StandardOutput.write((HelpCommand.shortUsage + "\n").utf8, to: STDERR_FILENO)
      return .usage
    }
    do {
      let invocation = try CommandLineParser.parse(arguments)
      return try await perform(invocation, Environment(), signals)
    } catch {
      let scope = error.command.map { " \($0.rawValue)" } ?? ""
      let help = error.command.map { "affix \($0.rawValue) --help" } ?? "affix help"
      StandardError.print("affix\(scope): \(error.message)")
      StandardError.print("try '\(help)'")
      return .usage
    }
  }

  private static func perform(
    _ invocation: Invocation,
    _ environment: Environment,
    _ signals: SignalWatch
  ) async throws(UsageError) -> ExitStatus {
    let operands = invocation.operands
    if invocation.wantsHelp {
      return try HelpCommand(operands: [invocation.command.rawValue]).run()
    }
    for hint in environment.hints { StandardError.print(hint) }
    var settings = try Settings(invocation, environment: environment)
    if [.check, .serve].contains(invocation.command) { settings.fitConcurrencyToDescriptors() }
    switch invocation.command {
    case .check:
      return try await CheckCommand(settings: settings, sources: operands, environment: environment)
        .run()
    case .preview:
      return try await PreviewCommand(
        settings: settings,
        sources: operands,
        environment: environment
      ).run()
    case .serve:
      signals.drains()
      return try await ServeCommand(
        settings: settings,
        operands: operands,
        environment: environment
      ).run()
    case .health:
      return try await HealthCommand(
        settings: settings,
        operands: operands,
        environment: environment
      ).run()
    case .list: return try ListCommand(settings: settings, operands: operands).run()
    case .version: return try VersionCommand(operands: operands).run()
    case .help: return try HelpCommand(operands: operands).run()
    }
  }

  /// Where a caller closed one of the first three descriptors, the next file that is opened would
  /// take its number, and results or messages would be written into it.
  ///
  /// What takes its place can be used as little as the closed one: a list that never came must not
  /// pass for an empty one, nor lost results for delivered ones.
  private static func occupyStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Each transfer takes a socket and a file, and the usual soft limit of 1,024 descriptors would
  /// end a wide run.
  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// How many files a check must be able to open besides those that the caller left open.
  ///
  /// With fewer it fails in the midst, and with a handful the runtime that is about to start tasks
  /// stops the process, without a word that anybody could understand.
  private static let leastDescriptors = 28

  /// Ends the process where the system lets it open hardly any file.
  private static func demandDescriptors() {
    var opened: [CInt] = []
    while opened.count < leastDescriptors {
      let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
      guard descriptor >= 0 else { break }
      opened.append(descriptor)
    }
    for descriptor in opened { close(descriptor) }
    guard opened.count < leastDescriptors else { return }
    StandardError.print(
      "affix: only \(opened.count) more files can be opened, and \(leastDescriptors) are needed; "
        + "raise the limit (ulimit -n)"
    )
    exit(ExitStatus.fault.rawValue)
  }
}
