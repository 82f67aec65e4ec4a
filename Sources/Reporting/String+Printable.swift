extension String {
  /// The text with everything escaped that could move a terminal's cursor, change its colours or
  /// reorder what is read, as hostile file names and server answers try to.
  ///
  /// Control characters (Cc), invisible formatting such as bidirectional overrides (Cf), and line
  /// and paragraph separators are written as in Swift source: `\u{1B}`.
  package var printable: String {
    guard unicodeScalars.contains(where: Self.isTreacherous) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where Self.isTreacherous(scalar):
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// An address without what may be secret: user information, query and fragment.
  ///
  /// Text that is no address is given back as it is.
  package var withoutSecrets: String {
    guard let scheme = firstRange(of: "://") else { return self }
    let rest = self[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let authorityEnd = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<authorityEnd]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return self[..<scheme.upperBound] + String(host ?? authority) + rest[authorityEnd...]
  }

  /// At most this many characters, with the middle left out where there are more.
  ///
  /// - Parameter limit: How many characters there is room for.
  /// - Returns: Both ends, which tell most about an address, around `...`.
  package func cutInTheMiddle(to limit: Int) -> String {
    let length = count
    guard length > limit else { return self }
    guard limit > 5 else { return String(prefix(max(0, limit))) }
    let kept = limit - 3
    return prefix(kept - kept / 2) + "..." + suffix(kept / 2)
  }

  /// The text with spaces added up to a width, or unchanged where it is longer.
  package func padded(to width: Int, alignedRight: Bool = false) -> String {
    let padding = String(repeating: " ", count: max(0, width - count))
    return alignedRight ? padding + self : self + padding
  }

  private static func isTreacherous(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
    default: return false
    }
  }
}
