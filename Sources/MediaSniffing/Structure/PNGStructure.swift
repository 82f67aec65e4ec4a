import AttachmentModel

/// Walks the chunks of a PNG or APNG file to IEND.
///
/// Source: ISO/IEC 15948 and the APNG specification 1.0. Checksums count for critical chunks
/// only: viewers pass over a damaged ancillary chunk.
enum PNGStructure {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Inspects a whole file.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets the format (`png` or `apng`), dimensions, orientation and findings.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    inspection.format = .png
    inspection.contentName = "a PNG picture"
    guard reader.matches(signature, at: 0) else {
      inspection.findings.append(
        StructureFinding(
          .corrupt,
          "the signature was changed, as a transfer of text between systems does"
        )
      )
      return
    }
    var walk = PNGWalk()
    walk.run(&reader, into: &inspection)
    if let end = walk.end { TrailingBytes.inspect(&reader, from: end, into: &inspection) }
  }
}
