import AttachmentModel

/// Reads the dimensions of a Photoshop document.
enum PSDStructure {
  /// Inspects as far as recognition needs.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets dimensions.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    guard let height = reader.bigEndian(at: 14, count: 4),
      let width = reader.bigEndian(at: 18, count: 4)
    else { return }
    inspection.width = Int(width)
    inspection.height = Int(height)
    inspection.frames = 1
  }
}
