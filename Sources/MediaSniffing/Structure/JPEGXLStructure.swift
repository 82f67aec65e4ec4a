import AttachmentModel

/// Reads the dimensions of a JPEG XL picture from the first bits of its codestream.
///
/// Source: ISO/IEC 18181-1, size header; 18181-2 for the boxes.
enum JPEGXLStructure {
  static let signatureBox: [UInt8] = [
    0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A,
  ]

  /// Inspects as far as recognition needs.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets dimensions.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    var start: Int64 = 0
    if !reader.matches([0xFF, 0x0A], at: 0) {
      if let whole = ISOBox.first("jxlc", &reader, from: 0, to: reader.size) {
        start = whole.body
      } else if let part = ISOBox.first("jxlp", &reader, from: 0, to: reader.size) {
        // A part begins with its number.
        start = part.body + 4
      } else {
        return
      }
    }
    guard reader.matches([0xFF, 0x0A], at: start) else { return }
    var bits = BitField(reader.prefix(at: start + 2, upTo: 16))
    let isSmall = bits.take(1) == 1
    guard let height = side(&bits, isSmall), let ratio = bits.take(3) else { return }
    let width: Int?
    if ratio == 0 {
      width = side(&bits, isSmall)
    } else {
      let (across, down) = ratios[ratio - 1]
      width = height * across / down
    }
    guard let width else { return }
    inspection.width = width
    inspection.height = height
    inspection.frames = 1
  }

  private static let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]

  private static func side(_ bits: inout BitField, _ isSmall: Bool) -> Int? {
    if isSmall { return bits.take(5).map { ($0 + 1) * 8 } }
    guard let choice = bits.take(2) else { return nil }
    return bits.take([9, 13, 18, 30][choice]).map { $0 + 1 }
  }

  /// Bits from the least significant one up.
  private struct BitField {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    mutating func take(_ count: Int) -> Int? {
      guard position + count <= bytes.count * 8 else { return nil }
      var value = 0
      for bit in 0..<count {
        let place = position + bit
        value |= Int(bytes[place / 8] >> (place % 8) & 1) << bit
      }
      position += count
      return value
    }
  }
}
