import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into an orderly end.
///
/// The first signal calls the action and leaves it a moment; a second one, or the moment's end,
/// ends the process where it stands.
final class SignalWatch: Sendable {
  private struct State {
    var received: CInt?
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Watches from now on.
  ///
  /// Must be made before any other thread: those started later inherit the blocked signals, which
  /// only `sigwait` then receives.
  init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    BlockingThread().submit { self.watch() }
  }

  /// What the process must answer with, once a signal came.
  var status: ExitStatus? {
    switch state.withLock(\.received) {
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

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }

  private func watch() {
    var signals = Self.signals
    var signal: CInt = 0
    while sigwait(&signals, &signal) != 0 {}
    let received = signal
    let action = state.withLock { state in
      state.received = received
      return state.action
    }
    action?()
    // Long enough to close connections and remove a folder, short enough for someone who waits.
    var patience = timespec(tv_sec: 0, tv_nsec: 900_000_000)
    while sigtimedwait(&signals, nil, &patience) < 0, errno == EINTR {}
    _exit(128 + received)
  }
}
