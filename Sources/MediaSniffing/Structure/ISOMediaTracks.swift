import AttachmentModel

/// A track of a movie, as far as it matters for playing it.
struct ISOMediaTrack {
  var id: UInt32 = 0
  var isEnabled = true
  var handler: FourCharacterCode = "    "
  /// Whether the handler is written the way QuickTime does.
  var isQuickTime = false
  /// The Exif orientation of the rotation in the track header, if it is one.
  var orientation: Int?
  var timescale: UInt32 = 0
  /// In units of the time scale; nothing where it is unknown.
  var duration: UInt64?
  var entry: ISOMediaSampleEntry?
  var extent = ISOMediaSampleTables.Extent()
  /// Tracks that this one has its chapters in.
  var chapterTracks: [UInt32] = []
  /// What is wrong inside.
  var faults: [StructureFinding] = []

  var isVideo: Bool {
    handler == "vide"
  }

  var isAudio: Bool {
    handler == "soun"
  }

  /// Whether this may be a picture that goes with the sound, and no movie.
  var isStillPicture: Bool {
    isVideo && ["mjpeg", "png"].contains(entry?.codec ?? "")
  }

  /// A track from its `trak` box.
  init(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      switch child.type {
      case "tkhd": readHeader(child, &reader)
      case "tref": readReferences(child, &reader)
      case "mdia": readMedia(child, &reader)
      default: break
      }
    }
    note(walk.fault)
  }

  private mutating func note(_ fault: StructureFinding?) {
    // One damaged track need not fill a report.
    if let fault, faults.count < 4 { faults.append(fault) }
  }

  private mutating func note(_ detail: String) {
    note(StructureFinding(.corrupt, detail))
  }

  private mutating func readHeader(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    guard let versionAndFlags = reader.bigEndian(at: box.content, count: 4) else { return }
    isEnabled = versionAndFlags & 1 != 0
    let isWide = versionAndFlags >> 24 == 1
    let idOffset = box.content + (isWide ? 20 : 12)
    id = UInt32(reader.bigEndian(at: idOffset, count: 4) ?? 0)
    let matrix = box.content + (isWide ? 52 : 40)
    let entries = [0, 4, 12, 16].map { (offset: Int64) in
      Int32(truncatingIfNeeded: reader.bigEndian(at: matrix + offset, count: 4) ?? 0)
    }
    // a, b, c, d of the matrix in 16.16: rotations are clockwise, as in Exif.
    let signs = entries.map { $0.signum() }
    switch signs {
    case [0, 1, -1, 0]: orientation = 6
    case [-1, 0, 0, -1]: orientation = 3
    case [0, -1, 1, 0]: orientation = 8
    default: orientation = nil
    }
    if box.contentSize < (isWide ? 96 : 84) { note("box \(box.name) is too short") }
  }

  private mutating func readReferences(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      guard child.type == "chap" else { continue }
      for index in 0..<min(child.contentSize / 4, 16) {
        guard let id = reader.bigEndian(at: child.content + index * 4, count: 4) else { break }
        chapterTracks.append(UInt32(id))
      }
    }
  }

  private mutating func readMedia(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    var information: ISOMediaBox?
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      switch child.type {
      case "mdhd":
        guard let header = ISOMediaTimes(child, &reader) else {
          note("box \(child.name) is too short")
          continue
        }
        timescale = header.timescale
        duration = header.duration
        if let contradiction = header.contradiction { note(contradiction) }
      case "hdlr":
        isQuickTime = FourCharacterCode(&reader, at: child.content + 4) == "mhlr"
        handler = FourCharacterCode(&reader, at: child.content + 8) ?? handler
      case "minf": information = child
      default: break
      }
    }
    note(walk.fault)

    // Tracks of text, hints, time codes and metadata play no part in what is shown.
    guard isVideo || isAudio, let information else { return }
    var boxes = ISOMediaBoxWalk(inside: information)
    while let child = boxes.next(&reader) {
      if child.type == "stbl" { readSampleTable(child, &reader) }
    }
    note(boxes.fault)
  }

  private mutating func readSampleTable(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    var tables = ISOMediaSampleTables()
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      switch child.type {
      case "stsd" where entry == nil:
        entry = ISOMediaSampleEntry(child, isVideo: isVideo, &reader)
        if let contradiction = entry?.contradiction { note(contradiction) }
      case "stco", "co64": tables.chunkOffsets = child
      case "stsc": tables.chunkRuns = child
      case "stsz", "stz2": tables.sampleSizes = child
      default: break
      }
    }
    note(walk.fault)
    extent = tables.extent(&reader)
    if let contradiction = extent.contradiction { note("track \(id): \(contradiction)") }
    if extent.samples > 0, timescale == 0 {
      note("track \(id) has \(extent.samples) samples and a time scale of 0")
    }
  }
}

/// The time scale and duration that `mvhd` and `mdhd` both begin with.
struct ISOMediaTimes {
  let timescale: UInt32
  /// In units of the time scale; nothing where the box says that it is unknown.
  let duration: UInt64?
  /// What cannot be meant.
  let contradiction: String?

  init?(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    guard let version = reader.byte(at: box.content) else { return nil }
    let isWide = version == 1
    let offset = box.content + (isWide ? 20 : 12)
    guard box.contentSize >= (isWide ? 32 : 20),
      let scale = reader.bigEndian(at: offset, count: 4),
      let length = reader.bigEndian(at: offset + 4, count: isWide ? 8 : 4)
    else { return nil }
    timescale = UInt32(scale)
    let isUnknown = length == (isWide ? .max : 0xFFFF_FFFF)
    // Decoders read both as signed numbers.
    let isNegative = length > (isWide ? UInt64(Int64.max) : 0x7FFF_FFFF) && !isUnknown
    duration = isUnknown || isNegative ? nil : length
    if timescale > 0x7FFF_FFFF {
      contradiction = "the time scale in box \(box.name) is \(timescale)"
    } else {
      contradiction = isNegative ? "the duration in box \(box.name) is \(length)" : nil
    }
  }

  /// A time in units of a scale, or nothing where it is not to be had.
  static func duration(_ units: UInt64?, timescale: UInt32) -> Duration? {
    guard let units, timescale > 0 else { return nil }
    let (seconds, rest) = units.quotientAndRemainder(dividingBy: UInt64(timescale))
    // Ten thousand years are past any meaning and far from overflowing anything.
    guard seconds < 315_576_000_000 else { return nil }
    // The rest is less than 2^32, so its product with 10^9 fits 64 bits.
    return .seconds(Int64(seconds))
      + .nanoseconds(Int64(rest * 1_000_000_000 / UInt64(timescale)))
  }
}
