/// Path and query of a request, decoded.
///
/// Decoded by ourselves, once, and only after it was taken apart: `%2F` is no separator here.
struct RequestTarget: Sendable, Hashable {
  /// The path's segments; `/` has none.
  let segments: [String]
  /// The query's fields, in order.
  let query: [Field]

  /// A name with its value.
  struct Field: Sendable, Hashable {
    let name: String
    let value: String
  }

  /// The most bytes of a target.
  static let longest = 16_384

  /// Reads a target in origin form, as in `/v1/policies?x=1`.
  ///
  /// Makes nothing of anything else, of bytes that are no UTF-8, of control characters, and of
  /// segments that are `.` or `..`, which no client sends and proxies read in different ways.
  init?(_ text: String) {
    guard text.first == "/", text.utf8.count <= Self.longest else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments: [String] = []
    if parts[0] != "/" {
      for piece in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
        guard let segment = Self.decoded(piece, plusIsSpace: false), segment != ".", segment != ".."
        else { return nil }
        segments.append(segment)
      }
    }
    var query: [Field] = []
    for piece in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(pair[0], plusIsSpace: true),
        let value = pair.count > 1 ? Self.decoded(pair[1], plusIsSpace: true) : ""
      else { return nil }
      query.append(Field(name: name, value: value))
    }
    self.segments = segments
    self.query = query
  }

  private static func decoded(_ text: Substring, plusIsSpace: Bool) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(Self.digit),
          let low = rest.popFirst().flatMap(Self.digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
