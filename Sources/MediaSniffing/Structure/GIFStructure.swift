import AttachmentModel

/// Walks the blocks of a GIF file to the trailer.
///
/// Source: Graphics Interchange Format 89a, sections 17 to 27. A frame that sticks out of the
/// screen is no finding: viewers clip it.
enum GIFStructure {
  /// Inspects a whole file.
  ///
  /// - Parameters:
  ///   - reader: The file, which begins with GIF87a or GIF89a.
  ///   - inspection: Gets dimensions, the number of frames and findings.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    var walk = GIFWalk()
    let outcome = walk.run(&reader)
    inspection.width = walk.width
    inspection.height = walk.height
    inspection.frames = walk.frames
    switch outcome {
    case .truncated(let detail):
      inspection.findings.append(StructureFinding(.truncated, detail))
    case .corrupt(let detail):
      inspection.findings.append(StructureFinding(.corrupt, detail))
    case .whole(let end):
      TrailingBytes.inspect(&reader, from: end, into: &inspection)
    }
  }
}
