import Synchronization

/// Bytes on their way from whoever makes them to a client that takes them at its own pace.
///
/// The maker waits while the client is behind; the client's connection sleeps while there is
/// nothing to send.
final class AnswerStream: Sendable {
  /// What the connection gets.
  enum Portion: Sendable {
    case bytes([UInt8])
    /// Nothing yet; `wake` is called once there is something.
    case later
    case end
  }

  private struct State {
    var buffer: [UInt8] = []
    var isFinished = false
    var isAbandoned = false
    var wake: (@Sendable () -> Void)?
    var makers: [CheckedContinuation<Bool, Never>] = []
  }

  /// How many bytes may wait for the client.
  private let capacity: Int
  private let state = Mutex(State())
  private let onAbandon: @Sendable () -> Void

  /// A stream.
  ///
  /// - Parameters:
  ///   - capacity: Makers wait while more than this is unsent.
  ///   - onAbandon: Called once where the client goes away before the end.
  init(capacity: Int = 256 << 10, onAbandon: @escaping @Sendable () -> Void) {
    self.capacity = capacity
    self.onAbandon = onAbandon
  }

  /// Adds bytes, and waits while the client is too far behind.
  ///
  /// - Returns: False where nobody will take them any more.
  func send(_ bytes: [UInt8]) async -> Bool {
    wake { $0.buffer += bytes }
    return await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Bool? in
        if state.isAbandoned { return false }
        if state.buffer.count <= capacity { return true }
        state.makers.append(continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Tells that nothing more comes.
  func finish() {
    wake { $0.isFinished = true }
  }

  /// Takes what there is.
  ///
  /// - Parameters:
  ///   - limit: How many bytes at most.
  ///   - sleep: Called, while no maker can come between, where there is nothing yet.
  ///   - wake: Called once there is something after all.
  /// - Returns: At most so many bytes, or why there are none.
  func take(
    _ limit: Int,
    sleep: () -> Void,
    wake: @escaping @Sendable () -> Void
  ) -> Portion {
    let (portion, makers) = state.withLock {
      state -> (Portion, [CheckedContinuation<Bool, Never>]) in
      guard !state.buffer.isEmpty else {
        if state.isFinished || state.isAbandoned { return (.end, []) }
        sleep()
        state.wake = wake
        return (.later, [])
      }
      let piece = Array(state.buffer.prefix(limit))
      state.buffer.removeFirst(piece.count)
      guard state.buffer.count <= capacity else { return (.bytes(piece), []) }
      defer { state.makers = [] }
      return (.bytes(piece), state.makers)
    }
    for maker in makers { maker.resume(returning: true) }
    return portion
  }

  /// The client is gone, or the server stops: makers are told, and a sleeping connection wakes.
  func abandon() {
    let (makers, isNew) = state.withLock { state in
      defer {
        state.makers = []
        state.isAbandoned = true
      }
      return (state.makers, !state.isAbandoned && !state.isFinished)
    }
    wake { _ in }
    for maker in makers { maker.resume(returning: false) }
    if isNew { onAbandon() }
  }

  private func wake(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      state.wake?()
      state.wake = nil
    }
  }
}
