import Pipeline

/// Cuts bytes that come in pieces into lines, and keeps no more than one line.
///
/// Lines end in LF or CRLF, the last one may lack it. Blank lines are left out, and so are
/// comments, whose first character is a `#`: no address begins with one, and a file can be named
/// `./#a`. A line that is too long, or holds a NUL that would cut a path short, becomes a source
/// that cannot be used.
struct LineSplitter: Sendable {
  /// The longest line, in bytes: far more than any address that an origin accepts.
  static let longestLine = 64 * 1_024
  /// How much of an unusable line is shown.
  private static let shownBytes = 256

  private var partial: [UInt8] = []
  /// Whether bytes are thrown away up to the next line end.
  private var isTooLong = false
  private var isAtStart = true

  /// The lines that end in a piece.
  mutating func lines(in piece: ArraySlice<UInt8>) -> [Source.Content] {
    var found: [Source.Content] = []
    var rest = piece
    while let end = rest.firstIndex(of: 10) {
      add(rest[..<end])
      finishLine(into: &found)
      rest = rest[(end + 1)...]
    }
    add(rest)
    return found
  }

  /// The last line, where the input does not end in a line end.
  mutating func end() -> [Source.Content] {
    var found: [Source.Content] = []
    finishLine(into: &found)
    return found
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong else { return }
    partial += bytes
    // One byte more for the CR that may still be taken off.
    guard partial.count > Self.longestLine + 1 else { return }
    isTooLong = true
    partial = Array(partial.prefix(Self.shownBytes))
  }

  private mutating func finishLine(into found: inout [Source.Content]) {
    var line = partial[...]
    if line.last == 13, !isTooLong { line.removeLast() }
    // A byte order mark, which some editors write, belongs to no address.
    if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    let words = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    if words.isEmpty && !isTooLong || words.first == UInt8(ascii: "#") {
      // Nothing to check.
    } else if isTooLong || line.count > Self.longestLine {
      found.append(
        unusable(line, "the line is longer than 65,536 bytes; give one address or path a line")
      )
    } else if line.contains(0) {
      found.append(unusable(line, "the line holds a NUL byte; separate sources by line ends"))
    } else {
      found.append(.given(String(decoding: line, as: UTF8.self)))
    }
    partial.removeAll(keepingCapacity: true)
    isTooLong = false
    isAtStart = false
  }

  private func unusable(_ line: ArraySlice<UInt8>, _ message: String) -> Source.Content {
    let shown = String(decoding: line.prefix(Self.shownBytes), as: UTF8.self)
    return .unusable(
      line.count >= Self.shownBytes ? shown + "..." : shown,
      CheckError(code: "invalid-url", message: message)
    )
  }
}
