import AttachmentModel

/// Exif and XMP blocks as JPEG, PNG and WebP embed them: orientation and position.
enum EmbeddedMetadata {
  /// Takes orientation and position from an Exif block.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - start: Where the TIFF header of the block stands.
  ///   - end: Where the block ends.
  ///   - inspection: Gets the orientation, unless it has one, and `metadata-location`.
  /// - Returns: The directory, or nothing where the block has no TIFF header.
  @discardableResult
  static func readExif(
    _ reader: inout ByteReader,
    from start: Int64,
    to end: Int64,
    into inspection: inout MediaInspection
  ) -> TIFFDirectory? {
    guard let directory = TIFFDirectory(&reader, from: start, to: end) else { return nil }
    if inspection.orientation == nil { inspection.orientation = directory.orientation }
    if directory.hasLocation { noteLocation("Exif", at: start, into: &inspection) }
    return directory
  }

  /// Looks for a position in an XMP packet, which names its properties in plain text.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - start: Where the packet begins.
  ///   - end: Where it ends; at most 64 KB are looked at.
  ///   - inspection: Gets `metadata-location`.
  static func readXMP(
    _ reader: inout ByteReader,
    from start: Int64,
    to end: Int64,
    into inspection: inout MediaInspection
  ) {
    let packet = reader.prefix(at: start, upTo: Int(min(max(0, end - start), 65_536)))
    guard packet.firstIndex(of: Array("GPSLatitude".utf8), ignoringCase: false) != nil else {
      return
    }
    noteLocation("XMP", at: start, into: &inspection)
  }

  private static func noteLocation(
    _ block: String,
    at offset: Int64,
    into inspection: inout MediaInspection
  ) {
    guard !inspection.has(.metadataLocation) else { return }
    inspection.findings.append(
      StructureFinding(
        .metadataLocation,
        "the \(block) block at offset \(offset) states a position"
      )
    )
  }
}
