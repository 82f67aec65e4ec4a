import AttachmentModel

/// Reads the size that an SVG picture's root element states.
///
/// Source: SVG 2, section 8.2: `width` and `height` in pixels, else the last two of `viewBox`.
enum SVGStructure {
  /// How far into the file the root element's start tag is read.
  private static let longestHead = 16_384

  /// Inspects as far as recognition needs.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets dimensions where they are stated in pixels.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    let head = reader.prefix(at: 0, upTo: longestHead)
    let start =
      head.firstIndex(of: Array("<svg".utf8), ignoringCase: true)
      ?? head.firstIndex(of: Array(":svg".utf8), ignoringCase: true)
    guard let start else { return }
    let tag = head[start...].prefix { $0 != UInt8(ascii: ">") }
    let box =
      value(of: "viewBox", in: tag)
      .map { $0.split { $0 == 0x20 || $0 == 0x2C }.map { pixels($0) } } ?? []
    let width = value(of: "width", in: tag).flatMap(pixels)
    let height = value(of: "height", in: tag).flatMap(pixels)
    inspection.width = width ?? (box.count == 4 ? box[2] : nil)
    inspection.height = height ?? (box.count == 4 ? box[3] : nil)
  }

  /// The text between the quotes of an attribute.
  private static func value(of name: String, in tag: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // White space before the name keeps `stroke-width` apart from `width`.
    for space in [0x20, 0x0A, 0x0D, 0x09] as [UInt8] {
      let attribute = [space] + Array(name.utf8) + [UInt8(ascii: "=")]
      guard let found = tag.firstIndex(of: attribute, ignoringCase: false) else { continue }
      let rest = tag[(found + attribute.count)...]
      guard let quote = rest.first, quote == 0x22 || quote == 0x27 else { return nil }
      return rest.dropFirst().prefix { $0 != quote }
    }
    return nil
  }

  /// A whole number of pixels, from a number with the unit px or none.
  private static func pixels(_ text: ArraySlice<UInt8>) -> Int? {
    let word = String(decoding: text, as: UTF8.self)
    let number = word.hasSuffix("px") ? String(word.dropLast(2)) : word
    guard let value = Double(number), value >= 1, value < 1e9 else { return nil }
    return Int(value.rounded(.up))
  }
}
