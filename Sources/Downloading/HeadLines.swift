/// Reads the lines of an answer's heads and counts what nobody was told of yet.
///
/// libcurl hands a head over line by line, mostly all of it in one turn of the loop: its lines are
/// told of together.
struct HeadLines {
  /// What a line means for the transfer.
  enum Meaning {
    /// There is more to come.
    case more
    /// It was not taken: what came before must be told of first.
    case later
    /// It ends a head, be it an interim one.
    case end
  }

  /// How many bytes may come before they are told of: whoever sends lines for ever is found out.
  private static let mostUntold = 16_384

  private var parser: ResponseHeadParser
  /// How many bytes came that nobody was told of, trailers included.
  private(set) var untold = 0
  /// When they came.
  private(set) var arrival: Duration = .zero

  /// The head, once a final one is whole.
  var head: ResponseHead? {
    parser.head
  }

  /// Whether the final head is whole, and no line, be it of another head, names a coding of the body.
  var announceNoCoding: Bool {
    parser.isFinished && !parser.sawCoding
  }

  /// The lines of one hop.
  init(collectsCaching: Bool) {
    parser = ResponseHeadParser(collectsCaching: collectsCaching)
  }

  /// Takes a line that came at a moment.
  mutating func receive(_ line: UnsafeRawBufferPointer, at time: Duration) -> Meaning {
    // Invariant: the buffer is libcurl's, valid for this call; it is only read.
    if arrival != time || untold > Self.mostUntold {
      guard untold == 0 else { return .later }
      arrival = time
    }
    untold += line.count
    return parser.receive(line) ? .end : .more
  }

  /// Everything that came was told of.
  mutating func told() {
    untold = 0
  }
}
