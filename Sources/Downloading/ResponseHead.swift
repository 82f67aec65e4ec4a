public import AttachmentModel

/// The parts of an answer's head that decide what happens to its body.
public struct ResponseHead: Sendable, Hashable {
  /// The fields that are looked at; all others are passed over.
  package enum Field: String, CaseIterable, Sendable {
    case contentEncoding = "content-encoding"
    case contentLength = "content-length"
    case contentRange = "content-range"
    case contentType = "content-type"
    case entityTag = "etag"
    case location
    case retryAfter = "retry-after"
    case transferEncoding = "transfer-encoding"

    /// The most bytes that such a name has.
    static let longestName = allCases.map(\.rawValue.utf8.count).max() ?? 0
    /// The field whose name has as many bytes as the index says: mostly none, never two.
    private static let byLength = (0...longestName).map { length in
      allCases.first { $0.rawValue.utf8.count == length }.map { ($0, Array($0.rawValue.utf8)) }
    }

    /// The field of a name in any case; nothing for one that is not looked at.
    static func named(_ name: UnsafeRawBufferPointer) -> Field? {
      // Invariant: the buffer is libcurl's, valid for this call; it is only read, by its indices.
      guard name.count <= longestName, let (field, bytes) = byLength[name.count] else { return nil }
      for index in bytes.indices {
        let (byte, given) = (bytes[index], name[index])
        // Only letters have cases: with that bit, a carriage return would be a hyphen.
        guard byte == given || (0x41...0x5A).contains(given) && byte == given | 0x20 else {
          return nil
        }
      }
      return field
    }
  }

  /// The most bytes of a value that are kept; no URL that is read is longer.
  static let longestValue = 16_385

  /// The status code.
  public var status: Int
  /// Whether `Content-Length` is no number, or is stated twice with different values.
  ///
  /// Nobody can tell then where the body ends (RFC 9110, section 8.6).
  package private(set) var hasBrokenLength = false
  /// What decides whether the answer may be kept; nothing where none is.
  package var caching: HTTPCachingFields?
  /// `Content-Length`, where it is one sound number, and the body's transfer has no coding: whatever
  /// one says of the other's length does not hold (RFC 9112, section 6.3).
  public var contentLength: ByteCount? {
    hasTransferCoding ? nil : statedLength
  }

  private var statedLength: ByteCount?
  private var hasTransferCoding = false
  /// The other fields, a handful at most, so that looking through them is quicker than hashing.
  private var values: [(field: Field, value: [UInt8])] = []

  /// A head with nothing but a status.
  public init(status: Int) {
    self.status = status
  }

  /// Adds a field as it came; several of one name are one list (RFC 9110, section 5.3).
  package mutating func add(_ value: [UInt8], for field: Field) {
    switch field {
    case .contentLength:
      let length = Self.length(value).map { ByteCount($0) }
      if length == nil || statedLength != nil && length != statedLength { hasBrokenLength = true }
      statedLength = length
    case .transferEncoding:
      hasTransferCoding = true
    default:
      guard let index = values.firstIndex(where: { $0.field == field }) else {
        if values.isEmpty { values.reserveCapacity(4) }
        values.append((field, value))
        return
      }
      values[index].value =
        field == .contentEncoding ? values[index].value + Array(", ".utf8) + value : value
    }
  }

  private func bytes(_ field: Field) -> [UInt8]? {
    values.first { $0.field == field }?.value
  }

  /// Whether two heads say the same.
  public static func == (left: ResponseHead, right: ResponseHead) -> Bool {
    left.status == right.status && left.caching == right.caching
      && left.contentLength == right.contentLength && left.hasBrokenLength == right.hasBrokenLength
      && Field.allCases.allSatisfy { left.bytes($0) == right.bytes($0) }
  }

  /// Hashes what every head has.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(caching)
  }

  /// The value of a field as text; bytes that are no UTF-8 are replaced.
  package subscript(field: Field) -> String? {
    bytes(field).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `Content-Type` without parameters, lower-cased, as in `image/jpeg`.
  public var mediaType: String? {
    guard let value = bytes(.contentType)?.prefix(256) else { return nil }
    // Invariant: at most one byte is written for each one read, and the capacity is their count.
    let essence = String(unsafeUninitializedCapacity: value.count) { buffer in
      var count = 0
      for byte in value {
        if byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") { break }
        guard byte != 32, byte != 9 else { continue }
        buffer[count] = (65...90).contains(byte) ? byte | 0x20 : byte
        count += 1
      }
      return count
    }
    return essence.isEmpty ? nil : essence
  }

  /// `Content-Encoding`, lower-cased, where it is not `identity`.
  public var contentEncoding: String? {
    guard let coding = self[.contentEncoding]?.lowercased(), !coding.isEmpty else { return nil }
    return coding == "identity" ? nil : String(coding.prefix(64))
  }

  /// Whether a body follows, as far as the head tells (RFC 9112, section 6.3).
  var announcesBody: Bool {
    status != 304 && contentLength != ByteCount(0)
  }

  /// Where the answer sends the client on to, if it does (RFC 9110, section 15.4).
  package var redirection: [UInt8]? {
    [301, 302, 303, 307, 308].contains(status) ? bytes(.location) : nil
  }

  /// The size of the whole representation, where the answer states it.
  ///
  /// A part (206) states its own length; the whole is behind the slash of `Content-Range`.
  var announcedSize: ByteCount? {
    guard status == 206 else { return contentLength }
    return contentRange?.total.map { ByteCount($0) }
  }

  /// The same of what is left once the content coding is undone: no answer states it of a coded body.
  var decodedSize: ByteCount? {
    contentEncoding == nil ? announcedSize : nil
  }

  /// The entity tag, where it is strong: two answers with it are the same byte for byte.
  package var strongEntityTag: String? {
    guard let tag = self[.entityTag], tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"")
    else { return nil }
    return tag
  }

  /// First byte and total of `Content-Range: bytes 5-9/10`; the total may be unknown (`*`).
  package var contentRange: (start: Int64, total: Int64?)? {
    guard let value = bytes(.contentRange), value.starts(with: "bytes ".utf8) else { return nil }
    let parts = value.dropFirst(6).split(separator: UInt8(ascii: "/"))
    let bounds = parts.first?.split(separator: UInt8(ascii: "-")) ?? []
    guard parts.count == 2, bounds.count == 2, let start = Self.number(Array(bounds[0])) else {
      return nil
    }
    return (start, Self.number(Array(parts[1])))
  }

  /// Whether `Content-Range` states a part that is less than the whole.
  var statesLess: Bool {
    guard let range = contentRange else { return false }
    guard let total = range.total, let length = contentLength else { return range.start > 0 }
    return range.start > 0 || length.bytes < total
  }

  /// How long `Retry-After` asks to wait (RFC 9110, section 10.2.3).
  ///
  /// - Parameter now: Seconds since 1970, for an answer that names a moment.
  /// - Returns: A million seconds at most; nothing where neither seconds nor a date stand there.
  package func retryAfter(at now: Int64) -> Duration? {
    guard let value = bytes(.retryAfter) else { return nil }
    let text = String(decoding: value, as: UTF8.self)
    guard
      let seconds = HTTPCachingDirectives.seconds(value)
        ?? HTTPDate.seconds(in: text, now: now).map({ $0 - now })
    else { return nil }
    return .seconds(max(0, min(seconds, 1_000_000)))
  }

  /// One number, or the same one several times, as when a proxy joins repeated fields (RFC 9110,
  /// section 8.6).
  private static func length(_ value: [UInt8]) -> Int64? {
    if let length = number(value) { return length }
    let numbers = value.split(separator: 44, omittingEmptySubsequences: false).map { part in
      number(Array(withoutBlanks(part)))
    }
    guard let first = numbers.first, numbers.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// A value without the white space around it, which is no part of it (RFC 9110, section 5.5).
  static func withoutBlanks<Bytes: BidirectionalCollection<UInt8>>(
    _ value: Bytes
  ) -> Bytes.SubSequence {
    var rest = value.drop { $0 == 32 || $0 == 9 }
    while let last = rest.last, last == 32 || last == 9 { rest = rest.dropLast() }
    return rest
  }

  private static func number(_ value: [UInt8]) -> Int64? {
    guard (1...18).contains(value.count) else { return nil }
    var number: Int64 = 0
    for byte in value {
      guard (48...57).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 48)
    }
    return number
  }
}
