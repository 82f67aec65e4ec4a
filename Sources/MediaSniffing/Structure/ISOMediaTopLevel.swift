import AttachmentModel

/// The boxes of the top level of a file, and what their order tells.
struct ISOMediaTopLevel {
  /// The first brand; nothing in files from before brands.
  private(set) var majorBrand: FourCharacterCode?
  /// Whether a box stands there that only QuickTime knows.
  private(set) var hasQuickTimeBoxes = false
  private(set) var movie: ISOMediaMovie?
  private(set) var fragments = ISOMediaFragments()
  private(set) var findings: [StructureFinding] = []

  private var firstMediaData: Int64?
  private var reachesBeyondEnd = false
  /// A box without a size, which swallows the rest of the file.
  private var openEndedBox: ISOMediaBox?

  /// Walks through a file once.
  init(_ reader: inout ByteReader) {
    var walk = ISOMediaBoxWalk(fileOf: reader.size)
    while let box = walk.next(&reader) {
      if box.end > reader.size {
        reachesBeyondEnd = true
        findings.append(
          .init(
            .truncated,
            "box \(box.name) ends at byte \(box.end), "
              + "\(ByteCount(box.end - reader.size).exactly) beyond the end"
          )
        )
      }
      if reader.bigEndian(at: box.start, count: 4) == 0 { openEndedBox = box }
      reader.within(box.end) { read(box, &$0) }
    }
    if let fault = walk.fault { finish(with: fault) }
    if movie == nil { explainMissingMovie(&reader) }
  }

  private mutating func read(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    switch box.type {
    case "ftyp":
      guard majorBrand == nil else { return }
      majorBrand = FourCharacterCode(&reader, at: box.content)
      if box.contentSize < 4 { note(.corrupt, "box \(box.name) is too short for a brand") }
    case "moov":
      guard movie == nil else {
        note(.corrupt, "a second 'moov' box at \(box.start)")
        return
      }
      let found = ISOMediaMovie(box, &reader)
      if let firstMediaData, !found.isFragmented {
        note(.notStreamable, "'moov' at \(box.start) comes behind 'mdat' at \(firstMediaData)")
      }
      movie = found
    case "mdat": firstMediaData = firstMediaData ?? box.start
    case "moof":
      // What is cut off is said already; what is there must hold.
      if box.end <= reader.size { fragments.read(box, of: movie, &reader) }
    case "wide", "pnot": hasQuickTimeBoxes = true
    default: break
    }
  }

  private mutating func note(
    _ kind: StructureFinding.Kind,
    _ detail: @autoclosure () -> String
  ) {
    // A file of a million empty boxes is not worth a million lines.
    if findings.count < 16 { findings.append(.init(kind, detail())) }
  }

  /// Bytes that are no box stand behind a whole movie, or are what is left of a cut one.
  private mutating func finish(with fault: StructureFinding) {
    guard fault.kind == .trailingData, movie == nil || movie?.isFragmented == true else {
      note(fault.kind, fault.detail)
      return
    }
    note(movie == nil ? .corrupt : .truncated, fault.detail)
  }

  private mutating func explainMissingMovie(_ reader: inout ByteReader) {
    guard !reachesBeyondEnd, !findings.contains(where: { $0.kind == .truncated }) else { return }
    if let openEndedBox {
      note(.corrupt, "no 'moov' box before \(openEndedBox.name), which takes the rest of the file")
    } else if reader.size < 8 {
      note(.truncated, "\(reader.size) bytes hold no box")
    } else if findings.contains(where: { $0.kind == .corrupt }) || fragments.count > 0 {
      note(.corrupt, "no 'moov' box")
    } else {
      note(.truncated, "the file ends at byte \(reader.size) before any 'moov' box")
    }
  }
}
