import Glibc
import Synchronization

/// Lets many make files in a folder at once, and none once it is being removed.
final class RemovalGate: Sendable {
  /// How many are inside; the highest bit once the gate is closed.
  private let state = Atomic<UInt64>(0)

  private static let closed: UInt64 = 1 << 63

  /// Whether nobody is let in any more.
  var isClosed: Bool {
    state.load(ordering: .acquiring) & Self.closed != 0
  }

  /// Does work that closing waits for, which must be short; nothing once the gate is closed.
  func pass<Result>(_ work: () -> Result) -> Result? {
    let before = state.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    defer { state.wrappingSubtract(1, ordering: .releasing) }
    return before & Self.closed == 0 ? work() : nil
  }

  /// Closes the gate and waits until nobody is inside.
  ///
  /// - Returns: False where it was closed before.
  func close() -> Bool {
    let before = state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue
    guard before & Self.closed == 0 else { return false }
    while state.load(ordering: .acquiring) != Self.closed { usleep(50) }
    return true
  }
}
