import Synchronization

/// Chooses which of many lines of one kind are written: one a second, which stands for those that
/// were held back before it.
///
/// What is held back last may never be told; where all must be counted, a metric does.
public final class LinePace: Sendable {
  private struct State {
    var next: Duration?
    var held = 0
  }

  private let state = Mutex(State())

  /// A pace at which nothing was written yet.
  public init() {}

  /// Asks for a line.
  ///
  /// - Parameter now: On any clock that does not run backwards.
  /// - Returns: How many the line stands for, itself included; nothing where it is held back.
  public func lines(at now: Duration) -> Int? {
    state.withLock { state in
      state.held += 1
      if let next = state.next, now < next { return nil }
      defer { state = State(next: now + .seconds(1)) }
      return state.held
    }
  }
}
