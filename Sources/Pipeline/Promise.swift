import Synchronization

/// A value that comes later, for which any number of tasks wait, each until it is cancelled.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var askers = 0
    /// Invariant: whoever takes one out resumes it, and nobody else does.
    var waiting: [Int: UnsafeContinuation<Value?, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Gives the value to everyone who waits, and to everyone who asks afterwards; once.
  func fulfil(_ value: Value) {
    let waiting = state.withLock { state in
      state.value = value
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// Waits for the value.
  ///
  /// - Returns: The value; nothing where the caller's task was cancelled before it came.
  func value() async -> Value? {
    let asker = state.withLock { state in
      state.askers += 1
      return state.askers
    }
    return await withTaskCancellationHandler {
      // Invariant: it is resumed here if it is not put where others find it.
      await withUnsafeContinuation { continuation in
        let (mustWait, value) = state.withLock { state in
          let mustWait = state.value == nil && !Task.isCancelled
          if mustWait { state.waiting[asker] = continuation }
          return (mustWait, state.value)
        }
        if !mustWait { continuation.resume(returning: value) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: asker) }?.resume(returning: nil)
    }
  }
}
