/// Writes small images byte by byte, so that tests say what is in every pixel.
enum PictureWriter {
  /// A PNG of 8-bit samples: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
  static func png(
    width: Int,
    height: Int,
    bands: Int,
    profile: [UInt8] = [],
    pixel: (_ x: Int, _ y: Int) -> [UInt8]
  ) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width { rows.append(contentsOf: pixel(x, y)) }
    }
    let colourType: UInt8 = [1: 0, 2: 4, 3: 2, 4: 6][bands] ?? 2
    let header = big(width) + big(height) + [8, colourType, 0, 0, 0]
    let colours =
      profile.isEmpty ? [] : chunk("iCCP", [UInt8]("colours".utf8) + [0, 0] + stored(profile))
    return pngSignature + chunk("IHDR", header) + colours + chunk("IDAT", stored(rows))
      + chunk("IEND", [])
  }

  /// Only the header of a PNG: as much as a decoder needs to know its dimensions.
  static func pngHeader(width: Int, height: Int) -> [UInt8] {
    pngSignature + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
      + chunk("IDAT", [0x78, 0x01])
  }

  /// A JPEG of one block of one colour, in three (YCbCr) or four (CMYK) components.
  ///
  /// - Parameters:
  ///   - samples: The stored value of each component.
  ///   - adobe: Whether an Adobe marker says that CMYK is stored inverted.
  /// - Returns: 8 x 8 pixels.
  static func jpeg(samples: [UInt8], adobe: Bool = false) -> [UInt8] {
    let count = UInt8(samples.count)
    var file: [UInt8] = [0xFF, 0xD8]
    if adobe { file += segment(0xEE, [UInt8]("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]) }
    file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += segment(
      0xC0,
      [8, 0, 8, 0, 8, count] + (1...count).flatMap { [$0, 0x11, 0] }
    )
    // DC: the categories 0 to 11 as codes of four bits. AC: end of block as a single 0.
    file += segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0...11))
    file += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    file += segment(0xDA, [count] + (1...count).flatMap { [$0, 0] } + [0, 63, 0])
    var bits = ""
    for sample in samples {
      let value = 8 * (Int(sample) - 128)
      let category = Int.bitWidth - value.magnitude.leadingZeroBitCount
      let magnitude = value < 0 ? value + (1 << category) - 1 : value
      bits += binary(category, digits: 4) + binary(magnitude, digits: category) + "0"
    }
    while !bits.count.isMultiple(of: 8) { bits += "1" }
    var rest = Substring(bits)
    while !rest.isEmpty {
      let byte = UInt8(rest.prefix(8), radix: 2) ?? 0
      file += byte == 0xFF ? [0xFF, 0] : [byte]
      rest = rest.dropFirst(8)
    }
    return file + [0xFF, 0xD9]
  }

  /// A JPEG with an Exif segment that states nothing but an orientation.
  static func oriented(_ jpeg: [UInt8], _ orientation: UInt8) -> [UInt8] {
    let exif: [UInt8] =
      [UInt8]("Exif".utf8) + [0, 0, 0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0]
      + [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
    return Array(jpeg[..<2]) + segment(0xE1, exif) + Array(jpeg[2...])
  }

  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
  }

  private static func binary(_ value: Int, digits: Int) -> String {
    guard digits > 0 else { return "" }
    let text = String(value, radix: 2)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = [UInt8](name.utf8) + content
    return big(content.count) + body + big(Int(crc(body)))
  }

  /// A zlib stream of uncompressed blocks (RFC 1950, RFC 1951 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let count = end - start
      stream.append(end == bytes.count ? 1 : 0)
      stream += [UInt8(count & 0xFF), UInt8(count >> 8)]
      stream += [UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return stream + big(Int(high << 16 | low))
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
    }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crcTable[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }
}
