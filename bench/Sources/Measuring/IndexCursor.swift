import Synchronization

/// Hands out the indices of a range, each once, to whichever task asks next.
public final class IndexCursor: Sendable {
  private let position: Atomic<Int>
  private let end: Int

  /// A cursor at a range's beginning.
  public init(_ range: Range<Int>) {
    position = Atomic(range.lowerBound)
    end = range.upperBound
  }

  /// The next index; nothing once all are handed out.
  public func next() -> Int? {
    let index = position.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < end ? index : nil
  }
}
