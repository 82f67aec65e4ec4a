public import AttachmentModel
import Synchronization

/// The memory in which bodies may be held, over all transfers; what finds no room is stored.
package final class BodyMemory: Sendable {
  /// A part of it for one body, given back when nobody holds it any more.
  package final class Share: Sendable {
    private let taken: Atomic<Int>
    private let memory: BodyMemory

    fileprivate init(_ size: Int, of memory: BodyMemory) {
      taken = Atomic(size)
      self.memory = memory
    }

    /// The most bytes that may be held for it.
    var size: Int {
      taken.load(ordering: .relaxed)
    }

    /// Takes more, if there is more.
    ///
    /// - Parameter size: How many bytes are to be held for it, more than now.
    /// - Returns: Whether they may be; otherwise the share stays as it is.
    func grow(to size: Int) -> Bool {
      guard memory.take(size - self.size, over: self.size) else { return false }
      taken.store(size, ordering: .relaxed)
      return true
    }

    deinit {
      memory.left.wrappingAdd(size, ordering: .relaxed)
    }
  }

  /// What a body of unknown size gets: most pictures that are pushed are no larger.
  private static let usualSize = 256 * 1_024

  private let largest: Int
  private let left: Atomic<Int>

  /// Memory of which nothing is taken.
  ///
  /// - Parameters:
  ///   - capacity: How many bytes may be held at once.
  ///   - largest: How many of them one body may take; default: a quarter.
  package init(_ capacity: Int, largest: Int? = nil) {
    self.largest = largest ?? capacity / 4
    left = Atomic(capacity)
  }

  /// Takes what a body needs.
  ///
  /// - Parameter expected: The body's size in bytes, where it was announced.
  /// - Returns: Room for so many, or for a usual body; nothing where that is not left.
  package func share(for expected: Int?) -> Share? {
    let size = expected ?? min(Self.usualSize, largest)
    return take(size, over: 0) ? Share(size, of: self) : nil
  }

  /// Takes so many bytes more for a body that has some already.
  private func take(_ count: Int, over size: Int) -> Bool {
    guard count <= largest - size else { return false }
    if left.wrappingSubtract(count, ordering: .relaxed).newValue < 0 {
      left.wrappingAdd(count, ordering: .relaxed)
      return false
    }
    return true
  }
}

/// A body in memory.
public struct HeldBody: Sendable {
  /// All of it that is needed; at least one byte came.
  public let content: SparseBytes
  /// Counts it as held for as long as it is.
  private let share: BodyMemory.Share

  init(_ content: SparseBytes, in share: BodyMemory.Share) {
    self.content = content
    self.share = share
  }
}
