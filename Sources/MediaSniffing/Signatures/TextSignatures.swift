import AttachmentModel

/// Signatures of text: HTML, SVG, XML, JSON and scripts, behind byte order marks and white space.
enum TextSignatures {
  static func match(_ prefix: FilePrefix) -> SignatureMatch? {
    let text = asASCII(prefix.bytes)
    guard let start = text.firstIndex(where: { !isSpace($0) }) else { return nil }
    switch text[start] {
    case UInt8(ascii: "<"): return markup(text[start...], isWhole: prefix.isWhole)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return json(text[start...])
    case UInt8(ascii: "#") where starts(text[start...], with: "#!/"):
      return .signature(.named(.other, "a script"))
    default: return nil
    }
  }

  /// The text without its byte order mark; UTF-16 is thinned to its low bytes.
  private static func asASCII(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return bytes[3...] }
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes[...] }
    return stride(from: isBigEndian ? 3 : 2, to: bytes.count, by: 2).map { bytes[$0] }[...]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func starts(_ text: ArraySlice<UInt8>, with word: String) -> Bool {
    text.matches(Array(word.utf8), at: text.startIndex, ignoringCase: true)
  }

  /// Tags that make a page of a text (WHATWG MIME Sniffing, section 7.1).
  private static let htmlTags = [
    "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b",
    "body", "br", "p", "meta", "center", "span", "form", "img", "noscript",
  ]

  /// Goes past declarations and comments to the first element, which tells what the text is.
  private static func markup(_ whole: ArraySlice<UInt8>, isWhole: Bool) -> SignatureMatch? {
    var text = whole
    var isXML = false
    var hasComment = false
    while let start = text.firstIndex(where: { !isSpace($0) }) {
      text = text[start...]
      let end: String
      if starts(text, with: "<?php") || starts(text, with: "<?=") {
        return .signature(.named(.other, "a PHP script"))
      } else if starts(text, with: "<!--") {
        hasComment = true
        end = "-->"
      } else if starts(text, with: "<?xml") {
        isXML = true
        end = "?>"
      } else if starts(text, with: "<?") {
        end = "?>"
      } else if starts(text, with: "<!doctype html") {
        return .signature(.named(.html, "an HTML page"))
      } else if starts(text, with: "<!doctype") {
        isXML = true
        // An internal subset holds declarations of its own, up to "]>".
        let close = text.firstIndex(of: UInt8(ascii: ">")) ?? text.endIndex
        end = text[..<close].contains(UInt8(ascii: "[")) ? "]>" : ">"
      } else {
        return element(text, isXML: isXML)
      }
      guard let found = text.firstIndex(of: Array(end.utf8), ignoringCase: false) else { break }
      text = text[(found + end.utf8.count)...]
    }
    if !isWhole, isXML || hasComment { return .undecided }
    return isXML ? .signature(.named(.other, "an XML document")) : nil
  }

  private static func element(_ text: ArraySlice<UInt8>, isXML: Bool) -> SignatureMatch? {
    guard text.first == UInt8(ascii: "<") else { return nil }
    let name = text.dropFirst().prefix {
      (97...122).contains($0 | 0x20) || (48...58).contains($0) || $0 == 0x2D || $0 == 0x5F
    }
    // A bare tag needs its end: "<b" may begin anything.
    let isClosed = text[name.endIndex...].first.map { isSpace($0) || $0 == 0x3E || $0 == 0x2F }
    let word = String(decoding: name, as: UTF8.self).lowercased()
    guard isClosed ?? false else { return nil }
    if word == "svg" || word.hasSuffix(":svg") {
      return .signature(Signature(format: .svg, name: "an SVG picture", family: .svg))
    }
    if htmlTags.contains(word) { return .signature(.named(.html, "an HTML page")) }
    return isXML ? .signature(.named(.other, "an XML document")) : nil
  }

  /// JSON, where the first character behind the bracket is one that may stand there.
  private static func json(_ text: ArraySlice<UInt8>) -> SignatureMatch? {
    let isObject = text.first == UInt8(ascii: "{")
    guard let next = text.dropFirst().first(where: { !isSpace($0) }) else { return nil }
    let allowed = isObject ? "\"}" : "\"[{]-0123456789tfn"
    guard allowed.utf8.contains(next) else { return nil }
    let isText = text.prefix(64).allSatisfy { isSpace($0) || $0 >= 0x20 }
    return isText ? .signature(.named(.other, "JSON text")) : nil
  }
}
