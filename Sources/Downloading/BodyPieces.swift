/// Joins the pieces of what libcurl read at once.
///
/// libcurl reads up to 100 KB into its buffer and hands them over 16 KB at a time, one piece behind
/// the other: joined, they take one decision and one write. Only its own count tells which piece is
/// the last, and that counts what came over the network: a body in a coding is not joined.
///
/// Belongs to one loop's thread.
package struct BodyPieces {
  /// What a piece means.
  package enum Step {
    /// More of the same read follows at once.
    case wait
    /// All of the read is here.
    // Invariant: in libcurl's buffer, valid until the callback that brought the last piece returns.
    case take(UnsafeRawBufferPointer)
    /// The piece does not lie behind the one before, which can no longer be read.
    case lost
  }

  /// The most bytes of a piece (CURL_MAX_WRITE_SIZE); the last of a read mostly has fewer.
  package static let longest = 16_384

  /// Those that wait for the rest of their read.
  // Invariant: looked at only together with a piece that lies right behind them, since libcurl
  // fills its buffer anew only once it has handed over all that it read.
  private var waiting = UnsafeRawBufferPointer(start: nil, count: 0)
  private var count: Int64 = 0

  /// None yet.
  package init() {}

  /// Whether nothing waits.
  package var isEmpty: Bool {
    waiting.isEmpty
  }

  /// Takes the next piece of a body.
  ///
  /// - Parameters:
  ///   - piece: The piece, in libcurl's buffer.
  ///   - read: How many bytes of the body libcurl has read, those of this read included; asked for
  ///     only where it matters.
  /// - Returns: What to do; after `lost` there is nothing to be done.
  package mutating func take(
    _ piece: UnsafeRawBufferPointer,
    of read: @autoclosure () -> Int64
  ) -> Step {
    // Invariant: `joined` goes no further than `piece`, which is valid for this call.
    count += Int64(piece.count)
    var joined = piece
    if let start = waiting.baseAddress {
      guard piece.baseAddress == start + waiting.count else { return .lost }
      joined = UnsafeRawBufferPointer(start: start, count: waiting.count + piece.count)
    }
    guard piece.count < Self.longest || read() <= count else {
      waiting = joined
      return .wait
    }
    waiting = UnsafeRawBufferPointer(start: nil, count: 0)
    return .take(joined)
  }
}
