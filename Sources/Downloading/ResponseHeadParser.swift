/// Collects header lines into heads; informational heads (1xx) are passed over.
package struct ResponseHeadParser {
  private var current = ResponseHead(status: 0)
  /// Whether the next line is the first of a head: no other tells a status, to libcurl either.
  private var isAtStart = true
  /// Whether a status line was read, and its head is not whole yet.
  private var isOpen = false
  /// Set once a final head is whole; later lines are trailers, and tell nothing but codings.
  private(set) var isFinished = false
  /// Whether any line so far names a coding of the body, in whatever head.
  ///
  /// Also behind the final one, in case libcurl takes that for an interim one and goes on to another.
  package private(set) var sawCoding = false
  private let collectsCaching: Bool

  /// The most bytes of a name that matters.
  private static let longestName = max(
    ResponseHead.Field.longestName,
    HTTPCachingFields.lengths.max() ?? 0
  )

  /// A parser of one answer.
  ///
  /// - Parameter collectsCaching: Whether the fields that a cache needs are collected too.
  package init(collectsCaching: Bool = false) {
    self.collectsCaching = collectsCaching
  }

  /// The head, once a final one is whole.
  package var head: ResponseHead? {
    isFinished ? current : nil
  }

  /// Takes one line as libcurl hands it over, line end included.
  ///
  /// - Parameter line: A status line, a field, or the line that ends a head.
  /// - Returns: Whether the line ends a head, be it an interim one.
  package mutating func receive(_ line: UnsafeRawBufferPointer) -> Bool {
    // Invariant: the buffer is libcurl's, valid for this call; it is only read, by its indices.
    guard let first = line.first else { return false }
    // To libcurl, a head ends with the line that begins with its own end.
    if first == 10 || first == 13 {
      guard !isFinished else { return false }
      isFinished = isOpen && current.status >= 200
      isOpen = false
      isAtStart = true
      return true
    }
    defer { isAtStart = false }
    if isAtStart, !isFinished, line.starts(with: "HTTP/".utf8) {
      begin(Self.status(of: line[...]))
    } else {
      // Most fields are of no interest, and cost one look at how long their name is.
      let limit = min(line.count, Self.longestName + 1)
      var colon = 0
      while colon < limit, line[colon] != 58 { colon += 1 }
      if colon < limit { field(line, colon) }
    }
    return false
  }

  private mutating func begin(_ status: Int?) {
    isOpen = status != nil
    current = ResponseHead(status: status ?? 0)
    if collectsCaching { current.caching = HTTPCachingFields() }
  }

  private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int? {
    // Invariant: as above.
    guard let space = line.firstIndex(of: 32) else { return nil }
    let digits = line[(space + 1)...].prefix { (48...57).contains($0) }
    guard digits.count == 3 else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private mutating func field(_ line: UnsafeRawBufferPointer, _ colon: Int) {
    // Invariant: as above; all parts lie in `line`.
    let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
    let field = ResponseHead.Field.named(name)
    // Whatever head it is in: none is so strange that libcurl could heed it unseen.
    if field == .contentEncoding || field == .transferEncoding { sawCoding = true }
    guard isOpen else { return }
    let isForCaching = collectsCaching && HTTPCachingFields.lengths.contains(name.count)
    guard field != nil || isForCaching else { return }
    var end = line.count
    while end > colon + 1, line[end - 1] == 10 || line[end - 1] == 13 { end -= 1 }
    let text = ResponseHead.withoutBlanks(UnsafeRawBufferPointer(rebasing: line[(colon + 1)..<end]))
    let value = UnsafeRawBufferPointer(rebasing: text.prefix(ResponseHead.longestValue))
    if isForCaching {
      current.caching?.receive(String(decoding: name, as: UTF8.self).lowercased(), value)
    }
    if let field { current.add(Array(value), for: field) }
  }
}
