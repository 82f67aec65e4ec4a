import AttachmentModel

/// Walks the chunks of a WebP file.
///
/// Source: RFC 9649, section 2.
enum WebPStructure {
  /// Inspects a whole file.
  ///
  /// - Parameters:
  ///   - reader: The file, which begins with RIFF and WEBP.
  ///   - inspection: Gets dimensions, frames, orientation and findings.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    guard let size = reader.littleEndian(at: 4, count: 4).map(Int64.init) else { return }
    let end = size + 8
    if end > reader.size {
      inspection.findings.append(
        StructureFinding(
          .truncated,
          "ends at offset \(reader.size); its header says \(end) bytes"
        )
      )
    }
    var position: Int64 = 12
    var animationFrames = 0
    var hasPicture = false
    while position + 8 <= min(end, reader.size), let type = reader.bytes(at: position, count: 4),
      let length = reader.littleEndian(at: position + 4, count: 4).map(Int64.init)
    {
      let body = position + 8
      switch String(decoding: type, as: UTF8.self) {
      case "VP8X":
        setSize(
          &inspection,
          reader.littleEndian(at: body + 4, count: 3),
          reader.littleEndian(at: body + 7, count: 3),
          plus: 1
        )
      case "VP8 ":
        hasPicture = true
        if inspection.width == nil, reader.matches([0x9D, 0x01, 0x2A], at: body + 3) {
          setSize(
            &inspection,
            reader.littleEndian(at: body + 6, count: 2).map { $0 & 0x3FFF },
            reader.littleEndian(at: body + 8, count: 2).map { $0 & 0x3FFF },
            plus: 0
          )
        }
      case "VP8L":
        hasPicture = true
        if inspection.width == nil, let bits = reader.littleEndian(at: body + 1, count: 4) {
          setSize(&inspection, bits & 0x3FFF, bits >> 14 & 0x3FFF, plus: 1)
        }
      case "ANMF": animationFrames += 1
      case "EXIF":
        let skip: Int64 = reader.matches("Exif\0".utf8, at: body) ? 6 : 0
        EmbeddedMetadata.readExif(
          &reader,
          from: body + skip,
          to: body + length,
          into: &inspection
        )
      default: break
      }
      // Chunks are padded to an even length.
      position = body + length + length % 2
    }
    inspection.frames = animationFrames > 0 ? animationFrames : hasPicture ? 1 : nil
    if end <= reader.size {
      if inspection.frames == nil {
        inspection.findings.append(StructureFinding(.corrupt, "no picture among the chunks"))
      }
      TrailingBytes.inspect(&reader, from: end, into: &inspection)
    }
  }

  private static func setSize(
    _ inspection: inout MediaInspection,
    _ width: UInt64?,
    _ height: UInt64?,
    plus one: Int
  ) {
    guard let width, let height else { return }
    inspection.width = Int(width) + one
    inspection.height = Int(height) + one
  }
}
