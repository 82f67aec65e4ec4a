import AttachmentModel

/// Reads the largest entry of a Windows icon's directory.
enum ICOStructure {
  /// Inspects as far as recognition needs.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets the dimensions of the largest picture.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    let count = reader.littleEndian(at: 4, count: 2) ?? 0
    for index in 0..<Int64(min(count, 1_024)) {
      guard let width = reader.byte(at: 6 + 16 * index),
        let height = reader.byte(at: 7 + 16 * index)
      else { break }
      // Zero stands for 256.
      let across = width == 0 ? 256 : Int(width)
      let down = height == 0 ? 256 : Int(height)
      if across * down > (inspection.width ?? 0) * (inspection.height ?? 0) {
        inspection.width = across
        inspection.height = down
        inspection.frames = 1
      }
    }
  }
}
