/// Collects header lines into heads; informational heads (1xx) are passed over.
package struct ResponseHeadParser {
  private var current = ResponseHead(status: 0)
  /// Whether a status line was read, and its head is not whole yet.
  private var isOpen = false
  /// Set once a final head is whole; later lines are trailers and are ignored.
  private var isFinished = false
  private let collectsCaching: Bool

  /// A parser of one answer.
  ///
  /// - Parameter collectsCaching: Whether the fields that a cache needs are collected too.
  package init(collectsCaching: Bool = false) {
    self.collectsCaching = collectsCaching
  }

  /// Takes one line as libcurl hands it over, line end included.
  ///
  /// - Parameter line: A status line, a field, or the empty line that ends a head.
  /// - Returns: The head, at the line that completes it.
  package mutating func receive(_ line: UnsafeRawBufferPointer) -> ResponseHead? {
    // Invariant: the buffer is libcurl's, valid for this call; it is only read, by its indices.
    guard !isFinished else { return nil }
    var end = line.count
    while end > 0, line[end - 1] == 10 || line[end - 1] == 13 { end -= 1 }
    if line.first == UInt8(ascii: "H"), line.prefix(5).elementsEqual("HTTP/".utf8) {
      begin(Self.status(of: line[..<end]))
    } else if end > 0 {
      // Most fields are of no interest, and cost one look at how long their name is.
      if isOpen, let colon = line.firstIndex(of: 58), colon < end { field(line[..<end], colon) }
    } else if isOpen, current.status >= 200 {
      isFinished = true
      return current
    } else {
      isOpen = false
    }
    return nil
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

  private mutating func field(_ line: Slice<UnsafeRawBufferPointer>, _ colon: Int) {
    // Invariant: as above.
    let name = line[..<colon]
    let field = ResponseHead.Field.named(name)
    let isForCaching = collectsCaching && HTTPCachingFields.lengths.contains(name.count)
    guard field != nil || isForCaching else { return }
    let value = ResponseHead.withoutBlanks(line[(colon + 1)...]).prefix(ResponseHead.longestValue)
    if isForCaching {
      current.caching?.receive(String(decoding: name, as: UTF8.self).lowercased(), value)
    }
    if let field { current.add(Array(value), for: field) }
  }
}
