/// The ID3v2 tags at the beginning of a file; some files have several in a row.
struct ID3Lead {
  /// The first byte behind them; may lie behind the file's end.
  private(set) var end: Int64 = 0
  /// The first cover among them.
  private(set) var coverArt: Range<Int64>?

  /// Reads tags as long as there are any, within reason.
  init(_ reader: inout ByteReader) {
    for _ in 0..<16 {
      guard let tag = ID3Tag(&reader, at: end) else { return }
      end = tag.end
      coverArt = coverArt ?? tag.coverArt
    }
  }
}
