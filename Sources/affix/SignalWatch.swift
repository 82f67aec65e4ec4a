import Glibc
import Synchronization
import Threading

/// Turns SIGINT and SIGTERM into an orderly end.
///
/// The first signal calls the action and leaves it a moment, or, where the action drains, as long
/// as it takes; a second one, or the moment's end, ends the process where it stands.
final class SignalWatch: Sendable {
  private struct State {
    var received: CInt?
    var action: (@Sendable () -> Void)?
    var drains = false
  }

  private let state = Mutex(State())

  /// Holds both signals back until `watch()` takes them.
  ///
  /// Must be made before any other thread: those started later inherit the block, without which
  /// a signal would end the process on one of them. A shell's background jobs ignore SIGINT, and
  /// what is ignored cannot be waited for on every system, so both are set to their defaults.
  init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// What the process must answer with, once a signal came; its own status where it drained.
  var status: ExitStatus? {
    switch state.withLock({ $0.drains ? nil : $0.received }) {
    case SIGINT: .interrupted
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

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }

  /// Waits for signals as long as the process lives.
  func watch() -> Never {
    var signals = Self.signals
    var signal: CInt = 0
    while sigwait(&signals, &signal) != 0 {}
    let received = signal
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
    while sigwait(&signals, &signal) != 0 {}
    _exit(128 + received)
  }
}
