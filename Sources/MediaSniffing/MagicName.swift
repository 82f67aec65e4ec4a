import AttachmentModel

/// What libmagic's opinion makes of a file that no signature fits.
///
/// Formats whose structure is checked are never taken from here: what fails its structure is not
/// what libmagic thinks it is.
enum MagicName {
  /// The format and name that a MIME type stands for, or nothing where it is not to be trusted.
  static func identification(
    of type: String,
    _ prefix: [UInt8]
  ) -> (format: MediaFormat, name: String)? {
    // Any bytes but control characters pass for text in some old encoding.
    if type.hasPrefix("text/"), !isText(prefix) { return nil }
    switch type {
    case "image/svg+xml": return (.svg, "an SVG picture")
    case "text/html", "application/xhtml+xml": return (.html, "an HTML page")
    case "application/pdf": return (.pdf, "a PDF document")
    case "application/zip": return (.zip, "a ZIP archive")
    case "text/plain": return (.txt, "plain text")
    default: break
    }
    if let name = names[type] { return (.other, name) }
    if let name = sourceCode[type] { return (.txt, name) }
    let family = type.prefix { $0 != "/" }
    let subtype = type.dropFirst(family.count + 1)
    switch family {
    case "text": return (.txt, "text (\(subtype))")
    // Random bytes pass for sound and video; what is one of them has a signature or frames.
    case "audio", "video": return nil
    case "image": return untrustedPictures.contains(type) ? nil : (.other, "a picture (\(subtype))")
    case "font": return (.other, "a font")
    case "application": return subtype == "x-empty" ? nil : (.other, "a file of type \(type)")
    default: return nil
    }
  }

  /// Whether bytes are UTF-8, begin with a byte order mark, or are ASCII for the most part.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return false }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return bytes.count > 3
    }
    let foreign = bytes.count { $0 >= 0x80 }
    if foreign * 4 <= bytes.count { return true }
    // A prefix may end inside a character of up to four bytes.
    return (0...min(3, bytes.count - 1)).contains {
      String(validating: bytes.dropLast($0), as: UTF8.self) != nil
    }
  }

  private static let untrustedPictures: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/heic", "image/avif",
    "image/x-tga",
  ]

  private static let names = [
    "text/xml": "an XML document", "application/xml": "an XML document",
    "application/json": "JSON text", "application/x-ndjson": "JSON text",
    "text/x-php": "a PHP script", "application/javascript": "a script",
    "text/x-shellscript": "a script", "text/x-python": "a script",
    "application/postscript": "a PostScript document",
    "application/x-tar": "a tar archive", "application/x-bzip2": "bzip2 data",
    "application/gzip": "gzip data", "application/x-dosexec": "a Windows program",
    "application/vnd.microsoft.portable-executable": "a Windows program",
    "application/x-shockwave-flash": "a Flash file",
  ]

  private static let sourceCode = [
    "text/csv": "a CSV table", "text/x-c": "source code", "text/x-c++": "source code",
    "text/x-java": "source code", "text/rtf": "an RTF document",
  ]
}
