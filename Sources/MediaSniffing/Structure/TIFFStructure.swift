import AttachmentModel

/// Reads dimensions and orientation from a TIFF file's first directory.
enum TIFFStructure {
  /// Inspects as far as recognition needs.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets dimensions, orientation and position.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    let directory = EmbeddedMetadata.readExif(&reader, from: 0, to: reader.size, into: &inspection)
    guard let directory else { return }
    inspection.width = directory.width
    inspection.height = directory.height
    if directory.width != nil { inspection.frames = 1 }
  }
}
