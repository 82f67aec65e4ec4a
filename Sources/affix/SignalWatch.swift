import Glibc
import Synchronization
import Threading

/// Turns SIGHUP, SIGINT, SIGQUIT and SIGTERM into an orderly end.
///
/// The first signal calls the action and leaves it a moment, or, where the action drains, as long
/// as it takes; a second one, or the moment's end, ends the process where it stands. A hang-up is
/// never that second one: a terminal that goes is told by the system and by the shell, and systemd
/// sends one right behind SIGTERM (systemd.kill(5), SendSIGHUP).
///
/// SIGQUIT dumps no core: Swift's runtime would take it for itself, print where every thread
/// stands, and let the process go on.
final class SignalWatch: Sendable {
  private struct State {
    var received: CInt?
    var action: (@Sendable () -> Void)?
    var drains = false
  }

  private let state = Mutex(State())
  private let signals: sigset_t

  /// Holds the signals back until `watch()` takes them.
  ///
  /// Must be made before any other thread: those started later inherit the block, without which
  /// a signal would end the process on one of them. A shell's background jobs ignore SIGINT, and
  /// what is ignored cannot be waited for on every system, so it is set to its default, as SIGTERM
  /// is. The others stay ignored where they are: that is what nohup(1) is for.
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] where !Self.staysIgnored(number) {
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
    self.signals = signals
  }

  private static func staysIgnored(_ number: CInt) -> Bool {
    guard number == SIGHUP || number == SIGQUIT else { return false }
    var action = sigaction()
    sigaction(number, nil, &action)
    // Invariant: both are C function pointers, which are compared and never called.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// What the process must answer with, once a signal came; its own status where it drained.
  var status: ExitStatus? {
    switch state.withLock({ $0.drains ? nil : $0.received }) {
    case SIGHUP: .hungUp
    case SIGINT: .interrupted
    case SIGQUIT: .quit
    case SIGTERM: .terminated
    default: nil
    }
  }

  /// Sets what the first signal does; it is done at once where one came already.
  func onSignal(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.action = action
      return state.received != nil
    }
    if isLate { action() }
  }

  /// From now on the action ends work under way in good order, however long that takes.
  func drains() {
    state.withLock { $0.drains = true }
  }

  private func next() -> CInt {
    var signals = signals
    var signal: CInt = 0
    while sigwait(&signals, &signal) != 0 {}
    return signal
  }

  /// Waits for signals as long as the process lives.
  func watch() -> Never {
    let received = next()
    let (action, drains) = state.withLock { state in
      state.received = received
      return (state.action, state.drains)
    }
    action?()
    // Long enough to close connections and remove a folder, short enough for someone who waits;
    // a second signal ends the wait.
    if !drains {
      _ = BackgroundThread.start {
        poll(nil, 0, 750)
        _exit(128 + received)
      }
    }
    while next() == SIGHUP {}
    _exit(128 + received)
  }
}
