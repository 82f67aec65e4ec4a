import AttachmentModel

/// Reads the dimensions of the primary picture of a HEIC or AVIF file, and whether it is all there.
///
/// Source: ISO/IEC 23008-12, 6.5.3 (`ispe`) and 9.3; ISO/IEC 14496-12, 8.11 (`meta`, `pitm`).
enum HEIFStructure {
  /// Inspects as far as recognition needs, and the boxes of the top level to the last.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Gets dimensions; `corrupt` where no `ftyp` says what the file is, and
  ///     `truncated` where the file ends before its boxes, or before any picture data.
  static func inspect(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    if !reader.matches("ftyp".utf8, at: 4) {
      inspection.findings.append(StructureFinding(.corrupt, "no ftyp box at the beginning"))
    }
    findExtent(&reader, into: &inspection)
    guard let meta = ISOBox.first("meta", &reader, from: 0, to: reader.size) else {
      readTrack(&reader, into: &inspection)
      return
    }
    // A version and flags come before the boxes.
    let children = ISOBox.all(&reader, from: meta.body + 4, to: meta.end)
    guard let properties = children.first(where: { $0.type == "iprp" }),
      let list = ISOBox.first("ipco", &reader, from: properties.body, to: properties.end)
    else {
      readTrack(&reader, into: &inspection)
      return
    }
    let primary = children.first { $0.type == "pitm" }.flatMap { primaryItem(&reader, $0) }
    let associations = ISOBox.first("ipma", &reader, from: properties.body, to: properties.end)
    let wanted = associations.flatMap { box in
      primary.flatMap { HEIFAssociations(box).properties(of: $0, &reader) }
    }
    let all = ISOBox.all(&reader, from: list.body, to: list.end)
    // Where nothing names the primary item, the largest picture is the likeliest.
    let indices = wanted ?? Array(1...max(1, all.count))
    for index in indices where index >= 1 && index <= all.count && all[index - 1].type == "ispe" {
      let size = all[index - 1].body + 4
      guard let width = reader.bigEndian(at: size, count: 4).map(Int.init),
        let height = reader.bigEndian(at: size + 4, count: 4).map(Int.init)
      else { continue }
      if width.magnitude > (inspection.width ?? 0).magnitude || wanted != nil {
        inspection.width = width
        inspection.height = height
        inspection.frames = 1
      }
    }
  }

  private static func findExtent(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    var walk = ISOMediaBoxWalk(fileOf: reader.size)
    var types: Set<FourCharacterCode> = []
    while let box = walk.next(&reader) {
      types.insert(box.type)
      guard box.end > reader.size else { continue }
      let missing =
        "box \(box.name) ends \(ByteCount(box.end - reader.size).exactly) beyond the end"
      inspection.findings.append(StructureFinding(.truncated, missing))
      return
    }
    if let fault = walk.fault { inspection.findings.append(fault) }
    // The newest form packs a picture into one small box; the others have their data in these.
    guard types.isDisjoint(with: ["mdat", "mini", "idat"]) else { return }
    let hasInnerData =
      ISOBox.first("meta", &reader, from: 0, to: reader.size).flatMap { meta in
        ISOBox.first("idat", &reader, from: meta.body + 4, to: meta.end)
      } != nil
    if !hasInnerData {
      inspection.findings.append(StructureFinding(.truncated, "ends before any picture data"))
    }
  }

  private static func primaryItem(_ reader: inout ByteReader, _ box: ISOBox) -> UInt64? {
    reader.bigEndian(at: box.body + 4, count: reader.byte(at: box.body) == 0 ? 2 : 4)
  }

  /// The size of the first track of a sequence without a `meta` box.
  private static func readTrack(_ reader: inout ByteReader, into inspection: inout MediaInspection)
  {
    guard let movie = ISOBox.first("moov", &reader, from: 0, to: reader.size),
      let track = ISOBox.first("trak", &reader, from: movie.body, to: movie.end),
      let header = ISOBox.first("tkhd", &reader, from: track.body, to: track.end),
      // Width and height end the box, as 16.16 fixed-point numbers.
      let width = reader.bigEndian(at: header.end - 8, count: 2),
      let height = reader.bigEndian(at: header.end - 4, count: 2)
    else { return }
    inspection.width = Int(width)
    inspection.height = Int(height)
  }
}
