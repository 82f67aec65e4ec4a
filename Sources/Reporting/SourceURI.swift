import AttachmentModel

/// Sources as URI references (RFC 3986).
enum SourceURI {
  /// What may stand in a path as it is, besides letters and digits (3.3).
  private static let inPath = Set("-._~!$&'()*+,;=@/".utf8)
  private static let inAddress = inPath.union(":[]".utf8)

  /// The reference of a source.
  ///
  /// An address comes without user information, query and fragment, which may be secret; a path
  /// stays relative if it is, and becomes a `file` URI if it is absolute.
  static func text(for location: AttachmentReference.Location) -> String {
    switch location {
    case .local(let path):
      return (path.hasPrefix("/") ? "file://" : "") + escaped(path, keeping: inPath)
    case .remote(let address):
      let trimmed = String(address.drop { $0 == " " || $0 == "\t" }).withoutSecrets
      guard let scheme = trimmed.firstRange(of: "://") else {
        return escaped(trimmed, keeping: inPath)
      }
      let rest = trimmed[scheme.upperBound...]
      let authority = rest.prefix { $0 != "/" }
      return trimmed[..<scheme.upperBound] + escaped(authority, keeping: inAddress)
        + escaped(rest[authority.endIndex...], keeping: inPath.union(":%".utf8))
    }
  }

  private static func escaped(_ text: some StringProtocol, keeping kept: Set<UInt8>) -> String {
    let bytes = Array(text.utf8)
    var escaped = ""
    for (index, byte) in bytes.enumerated() {
      let scalar = Unicode.Scalar(byte)
      let isAlphanumeric =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      let isKept =
        byte == UInt8(ascii: "%")
        ? kept.contains(byte) && isEscape(bytes[(index + 1)...].prefix(2)) : kept.contains(byte)
      if isAlphanumeric || isKept {
        escaped.unicodeScalars.append(scalar)
      } else {
        let digits = String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
        escaped += "%\(digits)"
      }
    }
    return escaped
  }

  private static func isEscape(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
}
