import AttachmentModel

/// Walks a JPEG file from SOI to EOI and looks at what stands behind it.
///
/// Source: ITU-T T.81, annex B. Tolerant where cameras err and viewers do not mind: stray bytes
/// between segments, fill bytes, scan parameters of baseline frames, missing Huffman tables.
enum JPEGStructure {
  /// Inspects a whole file.
  ///
  /// - Parameters:
  ///   - reader: The file, which begins with FFD8h.
  ///   - inspection: Gets dimensions, orientation and findings.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    var walk = JPEGWalk(start: 0)
    walk.run(&reader, into: &inspection)
    inspection.width = walk.frame?.width
    inspection.height = walk.height
    if walk.frame != nil { inspection.frames = 1 }
    guard let end = walk.end else { return }
    TrailingBytes.inspect(&reader, from: end, into: &inspection, appendix: appendix)
  }

  /// Whether an appendix is one that cameras write: further pictures, a motion photo's movie, or
  /// a maker's trailer.
  private static func appendix(
    _ reader: inout ByteReader,
    _ offset: Int64
  ) -> TrailingBytes.Appendix {
    if reader.matches("SEFT".utf8, at: reader.size - 4) { return .known }
    var position = offset
    while reader.matches([0xFF, 0xD8, 0xFF], at: position) {
      // Multi-picture format (CIPA DC-007) and gain maps: whole pictures one behind the other.
      var walk = JPEGWalk(start: position)
      var ignored = MediaInspection(format: .jpeg, size: ByteCount(reader.size))
      walk.run(&reader, into: &ignored)
      guard let end = walk.end else { return .foreign }
      guard let next = TrailingBytes.firstContent(&reader, from: end) else { return .known }
      position = next
    }
    guard let movie = TrailingBytes.movie(&reader, at: position) else { return .foreign }
    return isWholeMovie(&reader, from: movie)
      ? .known : .cut("the motion photo's movie at offset \(movie) is cut")
  }

  /// Whether a movie up to the file's end has its index and its samples, and no box beyond the end.
  private static func isWholeMovie(_ reader: inout ByteReader, from start: Int64) -> Bool {
    var missing: Set = ["moov", "mdat"]
    let boxes = ISOBox.all(&reader, from: start, to: reader.size)
    for box in boxes { missing.remove(box.type) }
    // What makers write behind the movie is no box.
    return missing.isEmpty && boxes.last { $0.type == "moov" || $0.type == "mdat" }?.isCut == false
  }
}
