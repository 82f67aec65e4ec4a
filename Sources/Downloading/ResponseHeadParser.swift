import AttachmentModel

/// Collects header lines into heads; informational heads (1xx) are passed over.
package struct ResponseHeadParser {
  private var current: ResponseHead?
  /// Set once a final head is whole; later lines are trailers and are ignored.
  package private(set) var head: ResponseHead?

  package init() {}

  /// Takes one line as libcurl hands it over, line end included.
  ///
  /// - Parameter line: A status line, a field, or the empty line that ends a head.
  /// - Returns: The head, at the line that completes it.
  package mutating func receive(_ line: UnsafeRawBufferPointer) -> ResponseHead? {
    // Invariant: the buffer is libcurl's, valid for this call; it is only read, by its indices.
    guard head == nil else { return nil }
    var end = line.count
    while end > 0, line[end - 1] == 10 || line[end - 1] == 13 { end -= 1 }
    if line.count >= 5, line.prefix(5).elementsEqual("HTTP/".utf8) {
      current = Self.status(of: line[..<end]).map(ResponseHead.init(status:))
    } else if end == 0 {
      guard let finished = current, finished.status >= 200 else {
        current = nil
        return nil
      }
      head = finished
      return finished
    } else {
      field(line[..<end])
    }
    return nil
  }

  private static func status(of line: Slice<UnsafeRawBufferPointer>) -> Int? {
    // Invariant: as above.
    guard let space = line.firstIndex(of: 32) else { return nil }
    let digits = line[(space + 1)...].prefix { (48...57).contains($0) }
    guard digits.count == 3 else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private mutating func field(_ line: Slice<UnsafeRawBufferPointer>) {
    // Invariant: as above. Only four fields matter; the rest costs one look at its length.
    guard let colon = line.firstIndex(of: 58) else { return }
    let name = line[..<colon]
    guard name.count == 8 || name.count == 12 || name.count == 14 || name.count == 16 else {
      return
    }
    let value = Array(line[(colon + 1)...].drop { $0 == 32 || $0 == 9 })
    switch String(decoding: name, as: UTF8.self).lowercased() {
    case "location":
      current?.location = value
    case "content-type":
      current?.contentType = String(decoding: value.prefix(256), as: UTF8.self)
    case "content-length":
      let length = Self.length(value)
      let isRepeated = current?.contentLength != nil && current?.contentLength != length
      if length == nil || isRepeated { current?.hasBrokenLength = true }
      current?.contentLength = length
    case "content-encoding":
      let coding = String(decoding: value.prefix(64), as: UTF8.self).lowercased()
      current?.contentEncoding = coding == "identity" || coding.isEmpty ? nil : coding
    default:
      break
    }
  }

  private static func length(_ value: [UInt8]) -> ByteCount? {
    guard !value.isEmpty, value.count <= 18, value.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return ByteCount(value.reduce(0) { $0 * 10 + Int64($1 - 48) })
  }
}
