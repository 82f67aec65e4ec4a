import Synchronization

/// The memory in which bodies may be held, over all transfers; what finds no room is stored.
package final class BodyMemory: Sendable {
  /// A part of it for one body, given back when nobody holds it any more.
  package final class Share: Sendable {
    /// The most bytes that may be held for it.
    let size: Int
    private let memory: BodyMemory

    fileprivate init(_ size: Int, of memory: BodyMemory) {
      self.size = size
      self.memory = memory
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
    guard size <= largest else { return nil }
    if left.wrappingSubtract(size, ordering: .relaxed).newValue < 0 {
      left.wrappingAdd(size, ordering: .relaxed)
      return nil
    }
    return Share(size, of: self)
  }
}

/// A whole body in memory.
public struct HeldBody: Sendable {
  /// All of it, at least one.
  public let bytes: [UInt8]
  /// Counts it as held for as long as it is.
  private let share: BodyMemory.Share

  init(_ bytes: [UInt8], in share: BodyMemory.Share) {
    self.bytes = bytes
    self.share = share
  }
}
