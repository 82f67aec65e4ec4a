import Synchronization

/// Counts the body bytes that one loop received, for whoever shows progress.
///
/// Each loop has its own: with one for all, every core would wait for the others to count.
final class ByteCounter: Sendable {
  private let count = Atomic<Int64>(0)

  /// The bytes so far.
  var value: Int64 {
    count.load(ordering: .relaxed)
  }

  /// Adds bytes; only ever called on the loop's thread.
  func add(_ bytes: Int) {
    count.store(value + Int64(bytes), ordering: .relaxed)
  }
}
