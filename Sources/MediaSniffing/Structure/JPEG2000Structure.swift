import AttachmentModel

/// Reads the dimensions of a JPEG 2000 picture, in its box or as a bare codestream.
///
/// Source: ITU-T T.800, A.5.1 and I.5.3.
enum JPEG2000Structure {
  static let signatureBox: [UInt8] = [
    0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A,
  ]

  /// Inspects as far as recognition needs.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets dimensions.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    if reader.matches([0xFF, 0x4F, 0xFF, 0x51], at: 0) {
      let fields = (0..<4).map { reader.bigEndian(at: 8 + 4 * $0, count: 4) ?? 0 }
      guard fields[0] > fields[2], fields[1] > fields[3] else { return }
      inspection.width = Int(fields[0] - fields[2])
      inspection.height = Int(fields[1] - fields[3])
      inspection.frames = 1
      return
    }
    guard let header = ISOBox.first("jp2h", &reader, from: 0, to: reader.size),
      let image = ISOBox.first("ihdr", &reader, from: header.body, to: header.end),
      let height = reader.bigEndian(at: image.body, count: 4),
      let width = reader.bigEndian(at: image.body + 4, count: 4)
    else { return }
    inspection.width = Int(width)
    inspection.height = Int(height)
    inspection.frames = 1
  }
}
