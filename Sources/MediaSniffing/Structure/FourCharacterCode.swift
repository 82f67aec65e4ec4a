/// Four bytes that name a box, a chunk, a brand or a codec.
struct FourCharacterCode: Hashable, ExpressibleByStringLiteral {
  let value: UInt32

  init(_ value: UInt32) {
    self.value = value
  }

  /// A name as it is written in the specifications; shorter ones are padded with spaces.
  ///
  /// Walks compare every box and chunk with such names; a static string costs nothing to make.
  init(stringLiteral text: StaticString) {
    // Invariant: a literal's bytes live as long as the program, and are only read here.
    value = text.withUTF8Buffer { bytes in
      var value: UInt32 = 0
      for index in 0..<4 {
        value = value << 8 | UInt32(index < bytes.count ? bytes[index] : 0x20)
      }
      return value
    }
  }

  /// The name at an offset, or nothing outside the file.
  init?(_ reader: inout ByteReader, at offset: Int64) {
    guard let value = reader.bigEndian(at: offset, count: 4) else { return nil }
    self.init(UInt32(value))
  }

  /// The four bytes, first one first.
  var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// Whether all bytes are what names consist of: printable ASCII, or the copyright sign that
  /// QuickTime uses in user data.
  var isPlausible: Bool {
    bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0xA9 }
  }

  /// The name for people: trailing spaces off, bytes that do not print as dots.
  var text: String {
    var printable = String(
      bytes.map { (0x20...0x7E).contains($0) ? Character(UnicodeScalar($0)) : "." }
    )
    while printable.hasSuffix(" ") { printable.removeLast() }
    return printable
  }
}
