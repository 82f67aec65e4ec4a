public import Glibc
import Synchronization
import TimeBudgets

/// A command that runs, can be sent signals, and is killed when its time is over.
///
/// It leads a process group of its own. A command that nobody refers to any more is killed too.
public final class RunningCommand: Sendable {
  private struct State {
    var run: CommandRun?
    var missedDeadline = false
    var waiting: [CheckedContinuation<CommandRun, Never>] = []
  }

  /// The state that the watching threads share with the command's owner, but do not keep it by.
  private final class Record: Sendable {
    let state = Mutex(State())
  }

  /// The process, which is also its group.
  public let processID: pid_t
  private let streams: CommandStreams
  private let record = Record()

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - path: The program's path.
  ///   - arguments: What follows the program's name.
  ///   - environment: All of it; nothing is inherited.
  ///   - folder: Where it runs; the test's own folder where this is left out.
  ///   - input: What it reads.
  ///   - output: What becomes of its standard output.
  ///   - deadline: After this it is killed, with all its children.
  /// - Throws: Where it cannot be started.
  public init(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String] = CommandRun.plainEnvironment,
    in folder: String? = nil,
    input: CommandRun.Input = .nothing,
    output: CommandRun.Output = .captured,
    deadline: Duration = .seconds(20)
  ) throws(OriginError) {
    streams = try CommandStreams(input: input, output: output)
    processID = try Self.spawn(
      path,
      arguments,
      environment: environment,
      folder: folder,
      streams: streams
    )
    streams.closeInput()
    let start = Stopwatch.system.now
    let (identity, streams, record) = (processID, streams, record)
    try JoinableThread {
      Self.watch(identity, streams: streams, since: start, record: record)
    }.detach()
    try JoinableThread {
      let budget = TimeBudget(deadline)
      // Now and then a look at what it prints, lest it fill the disk.
      while !budget.isSpent, !streams.isOverfull {
        guard !streams.ended(within: min(.milliseconds(100), budget.remaining)) else { return }
      }
      record.state.withLock { state in
        guard state.run == nil else { return }
        state.missedDeadline = true
        kill(-identity, SIGKILL)
      }
    }.detach()
  }

  deinit {
    send(SIGKILL)
  }

  /// Sends a signal to the command and its children, unless it has ended.
  public func send(_ signal: CInt) {
    // Under the lock nobody collects the process, so its number cannot be another's already.
    record.state.withLock { state in
      guard state.run == nil else { return }
      kill(-processID, signal)
    }
  }

  /// What it has written to standard output by now.
  public var outputSoFar: String {
    String(decoding: DescriptorReader.content(of: streams.output), as: UTF8.self)
  }

  /// What it has written to standard error by now.
  public var errorOutputSoFar: String {
    String(decoding: DescriptorReader.content(of: streams.error), as: UTF8.self)
  }

  /// Waits until it has written some text to standard error or standard output.
  ///
  /// - Parameters:
  ///   - text: What to wait for.
  ///   - allowance: How long to wait at most.
  /// - Returns: Whether it came in time.
  public func said(_ text: String, within allowance: Duration = .seconds(5)) async -> Bool {
    let budget = TimeBudget(allowance)
    while !outputSoFar.contains(text), !errorOutputSoFar.contains(text) {
      guard !budget.isSpent, (try? await Task.sleep(for: .milliseconds(5))) != nil else {
        return false
      }
    }
    return true
  }

  /// Waits for its end, which comes with its deadline at the latest.
  public func run() async -> CommandRun {
    await withCheckedContinuation { continuation in
      let run = record.state.withLock { state in
        if state.run == nil { state.waiting.append(continuation) }
        return state.run
      }
      if let run { continuation.resume(returning: run) }
    }
  }

  private static func watch(
    _ identity: pid_t,
    streams: CommandStreams,
    since start: Duration,
    record: Record
  ) {
    var information = siginfo_t()
    // The process stays uncollected here, so that its number is still its own.
    while waitid(P_PID, id_t(identity), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    let elapsed = Stopwatch.system.now - start
    let (run, waiting) = record.state.withLock { state in
      // What it left behind must not outlive it.
      kill(-identity, SIGKILL)
      var status: CInt = 0
      while waitpid(identity, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let run = CommandRun(
        ending: signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal),
        missedDeadline: state.missedDeadline,
        outputBytes: DescriptorReader.content(of: streams.output),
        errorBytes: DescriptorReader.content(of: streams.error),
        elapsed: elapsed
      )
      state.run = run
      defer { state.waiting = [] }
      return (run, state.waiting)
    }
    streams.announceEnd()
    for continuation in waiting { continuation.resume(returning: run) }
  }

  private static func spawn(
    _ path: String,
    _ arguments: [String],
    environment: [String: String],
    folder: String?,
    streams: CommandStreams
  ) throws(OriginError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [streams.input, streams.output, streams.error].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(number))
    }
    // Other tests open files and sockets meanwhile, and not every one is closed on exec from its
    // first moment; glibc passes over numbers that are not open.
    for descriptor in 3..<CInt(min(2_048, sysconf(CInt(_SC_OPEN_MAX)))) {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
    )

    // A shell that is replaced by the command is the portable way into another folder.
    var words = [path] + arguments
    if let folder { words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder] + words }
    guard let program = words.first, access(path, X_OK) == 0 else {
      throw OriginError(description: "\(path) is no program: errno \(errno)")
    }
    let argumentTexts = words.map { strdup($0) }
    let environmentTexts = environment.map { strdup("\($0.key)=\($0.value)") }
    defer {
      for text in argumentTexts + environmentTexts { free(text) }
    }
    var identity: pid_t = 0
    // Invariant: both lists end with a null pointer, and outlive the call.
    let outcome = posix_spawn(
      &identity,
      program,
      &actions,
      &attributes,
      argumentTexts + [nil],
      environmentTexts + [nil]
    )
    guard outcome == 0 else {
      throw OriginError(description: "cannot start \(path): errno \(outcome)")
    }
    return identity
  }
}
