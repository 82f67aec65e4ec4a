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

    /// The lengths of their names.
    static let lengths = Set(allCases.map(\.rawValue.utf8.count))
  }

  /// The most bytes of a value that are kept; no URL that is read is longer.
  static let longestValue = 16_385

  /// The status code.
  public var status: Int
  /// Whether `Content-Length` is no number, or is stated twice with different values.
  ///
  /// Nobody can tell then where the body ends (RFC 9110, section 8.6).
  package private(set) var hasBrokenLength = false
  /// What decides whether the answer may be kept; empty where nothing is kept.
  package var caching = HTTPCachingFields()
  private var values: [Field: [UInt8]] = [:]

  /// A head with nothing but a status.
  public init(status: Int) {
    self.status = status
  }

  /// Adds a field as it came; several of one name are one list (RFC 9110, section 5.3).
  package mutating func add(_ value: [UInt8], for field: Field) {
    if field == .contentLength {
      let isRepeated = values[field].map { Self.length($0) != Self.length(value) } ?? false
      if Self.length(value) == nil || isRepeated { hasBrokenLength = true }
      values[field] = value
    } else if let before = values[field], field == .contentEncoding {
      values[field] = before + Array(", ".utf8) + value
    } else {
      values[field] = value
    }
  }

  /// The value of a field as text; bytes that are no UTF-8 are replaced.
  package subscript(field: Field) -> String? {
    values[field].map { String(decoding: $0, as: UTF8.self) }
  }

  /// `Content-Type` without parameters, lower-cased, as in `image/jpeg`.
  public var mediaType: String? {
    guard let value = values[.contentType]?.prefix(256) else { return nil }
    let essence = String(decoding: value, as: UTF8.self).prefix { $0 != ";" && $0 != "," }
    let trimmed = essence.lowercased().filter { $0 != " " && $0 != "\t" }
    return trimmed.isEmpty ? nil : trimmed
  }

  /// `Content-Length`, where it is one sound number.
  public var contentLength: ByteCount? {
    values[.contentLength].flatMap(Self.length).map { ByteCount($0) }
  }

  /// `Content-Encoding`, lower-cased, where it is not `identity`.
  public var contentEncoding: String? {
    guard let coding = self[.contentEncoding]?.lowercased(), !coding.isEmpty else { return nil }
    return coding == "identity" ? nil : String(coding.prefix(64))
  }

  /// Where the answer sends the client on to, if it does (RFC 9110, section 15.4).
  package var redirection: [UInt8]? {
    [301, 302, 303, 307, 308].contains(status) ? values[.location] : nil
  }

  /// The size of the whole representation, where the answer states it.
  ///
  /// A part (206) states its own length; the whole is behind the slash of `Content-Range`.
  var announcedSize: ByteCount? {
    guard status == 206 else { return contentLength }
    return contentRange?.total.map { ByteCount($0) }
  }

  /// The entity tag, where it is strong: two answers with it are the same byte for byte.
  package var strongEntityTag: String? {
    guard let tag = self[.entityTag], tag.utf8.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"")
    else { return nil }
    return tag
  }

  /// First byte and total of `Content-Range: bytes 5-9/10`; the total may be unknown (`*`).
  package var contentRange: (start: Int64, total: Int64?)? {
    guard let value = values[.contentRange], value.starts(with: "bytes ".utf8) else { return nil }
    let parts = value.dropFirst(6).split(separator: UInt8(ascii: "/"))
    let bounds = parts.first?.split(separator: UInt8(ascii: "-")) ?? []
    guard parts.count == 2, bounds.count == 2, let start = Self.number(Array(bounds[0])) else {
      return nil
    }
    return (start, Self.number(Array(parts[1])))
  }

  /// How long `Retry-After` asks to wait, where it states seconds (RFC 9110, section 10.2.3).
  package var retryAfter: Duration? {
    values[.retryAfter].flatMap(Self.number).map { .seconds(min($0, 1_000_000)) }
  }

  /// One number, or the same one several times, as when a proxy joins repeated fields (RFC 9110,
  /// section 8.6).
  private static func length(_ value: [UInt8]) -> Int64? {
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
    guard !value.isEmpty, value.count <= 18, value.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return value.reduce(0) { $0 * 10 + Int64($1 - 48) }
  }
}
