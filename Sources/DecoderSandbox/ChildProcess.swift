import CSeccomp
import Dispatch
import Glibc
import Synchronization
import Threading

/// A child process from its start to its end.
///
/// It is started and collected on one thread that outlives it: the signal that ends a child with
/// its parent is sent when the thread that started it ends, not only when the process does.
final class ChildProcess: Sendable {
  /// How a child ended.
  enum Ending: Sendable, Hashable {
    /// There never was one, for this reason.
    case unstarted(String)
    /// By itself, with a status.
    case exited(CInt)
    /// By a signal.
    case killed(CInt)
  }

  /// The parent's end of the line; what is sent before the child is ready waits there.
  let socket: FrameSocket
  private let counter: CInt
  private let nursery: JobThreads
  private let state = Mutex(State.starting)

  private enum State {
    case starting
    case running(pid_t)
    case over(Ending)
  }

  /// Has a child started, and does not wait for that.
  ///
  /// - Parameters:
  ///   - executable: The path of a program that calls `DecoderProcess.runIfAsked(_:)`.
  ///   - settings: What the child is told.
  ///   - nursery: The thread that starts and collects children.
  init(executable: String, settings: ChildSettings, nursery: JobThreads) {
    self.nursery = nursery
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    let isMade = socketpair(AF_UNIX, type, 0, &ends) == 0
    counter = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
    socket = FrameSocket(ends[0])
    guard isMade, counter >= 0, let argument = settings.argument else {
      // Both ends are gone, so that whoever reads finds the line closed.
      close(ends[1])
      state.withLock { $0 = .over(.unstarted("the system has no descriptor left")) }
      return
    }
    let theirs = ends[1]
    nursery.submit { [self] in
      let outcome = Self.spawn(executable, argument, socket: theirs, counter: counter)
      // The only other copy is the child's: the line closes with it.
      close(theirs)
      state.withLock { $0 = outcome }
    }
  }

  deinit {
    if counter >= 0 { close(counter) }
  }

  /// How many files the child has begun by its own account, which is asked for once.
  func filesBegun() -> UInt64 {
    var count: UInt64 = 0
    // Invariant: eight bytes, which is what an event counter gives.
    return read(counter, &count, MemoryLayout<UInt64>.size) > 0 ? count : 0
  }

  /// Resident memory in bytes (proc(5), statm); nothing where there is no process.
  var residentBytes: Int? {
    // Under the lock nobody collects it, so its number is not another's.
    state.withLock { state in
      guard case .running(let process) = state else { return nil }
      let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { Glibc.close(file) }
      var text = [UInt8](repeating: 0, count: 128)
      let count = read(file, &text, text.count)
      let words = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
      return words.dropFirst().first.flatMap { Int($0) }.map { $0 * sysconf(CInt(_SC_PAGESIZE)) }
    }
  }

  /// Ends the child, whatever it does, and collects it; a second call tells the same.
  ///
  /// - Returns: How it ended: by itself, if that was before this call.
  func end() -> Ending {
    let done = DispatchSemaphore(value: 0)
    nursery.submit { [self] in
      state.withLock { state in
        if case .running(let process) = state { state = .over(Self.collect(process)) }
      }
      done.signal()
    }
    done.wait()
    return state.withLock { state in
      if case .over(let ending) = state {
        ending
      } else {
        .unstarted("the child was never started")
      }
    }
  }

  private static func collect(_ process: pid_t) -> Ending {
    // Until it is collected its number is nobody else's.
    kill(process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .exited(-1) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }

  private static func spawn(
    _ executable: String,
    _ argument: String,
    socket: CInt,
    counter: CInt
  ) -> State {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A terminal must not show what a hostile file makes a decoder say.
    for standard in STDIN_FILENO...STDERR_FILENO {
      posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
    }
    // Copied out of the way first: one of them may have the number that the other is to get.
    let above = max(socket, counter, ChildDescriptors.counter) + 1
    let places = [
      (from: socket, over: above, to: ChildDescriptors.socket),
      (from: counter, over: above + 1, to: ChildDescriptors.counter),
    ]
    for place in places {
      posix_spawn_file_actions_adddup2(&actions, place.from, place.over)
    }
    for place in places {
      posix_spawn_file_actions_adddup2(&actions, place.over, place.to)
    }
    _ = affix_spawn_close_from(&actions, ChildDescriptors.counter + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this process holds back, ignores or takes must end the child as usual; a group
    // of its own keeps a terminal's Ctrl-C from it, which would pass for a crash.
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

    // A crash must end the child at once: Swift's own report of it would read /proc. Where libraries
    // are found must be the same. The child drops both before its first file.
    let path = getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=" + String(cString: $0)] } ?? []
    let words = ["affix", DecoderProcess.command, argument].map { (word: String) in strdup(word) }
    let variables = (path + ["SWIFT_BACKTRACE=enable=no"]).map { (variable: String) in
      strdup(variable)
    }
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    // Invariant: both lists end with a null pointer, and outlive the call.
    let problem = posix_spawn(
      &process,
      executable,
      &actions,
      &attributes,
      words + [nil],
      variables + [nil]
    )
    guard problem == 0 else {
      let reason = String(cString: strerror(problem))
      return .over(.unstarted("\(executable) cannot be started: \(reason)"))
    }
    return .running(process)
  }
}

extension ChildProcess.Ending {
  /// Whether it was ended by a signal that no fault of a decoder raises: by whoever was short of
  /// memory, or by an operator.
  var isFromOutside: Bool {
    guard case .killed(let signal) = self else { return false }
    return [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(signal)
  }
}

extension ChildProcess.Ending: CustomStringConvertible {
  /// As it is told in reports: `was ended by signal 11 (SIGSEGV)`.
  var description: String {
    switch self {
    case .unstarted(let reason): reason
    case .exited(let status): "ended by itself with status \(status)"
    case .killed(let signal):
      "was ended by signal \(signal)"
        + (affix_signal_name(signal).map { " (SIG\(String(cString: $0)))" } ?? "")
    }
  }
}
