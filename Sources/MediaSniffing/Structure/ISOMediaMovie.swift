import AttachmentModel

/// What the `moov` box tells: tracks, times, and the metadata that matter here.
struct ISOMediaMovie {
  /// What fragments of a track leave out (`trex`).
  struct FragmentDefaults {
    var duration: UInt32 = 0
    var size: UInt32 = 0
  }

  /// The box itself.
  let box: ISOMediaBox
  var hasHeader = false
  var timescale: UInt32 = 0
  var duration: UInt64?
  var tracks: [ISOMediaTrack] = []
  var isFragmented = false
  var fragmentDefaults: [UInt32: FragmentDefaults] = [:]
  var fragmentDuration: UInt64?
  var coverArt: Range<Int64>?
  /// Where a position on Earth is written.
  var location: String?
  var faults: [StructureFinding] = []

  /// More tracks than any movie has; a file could otherwise buy memory with 8 bytes a track.
  private static let trackLimit = 256

  /// Reads a movie from its `moov` box.
  init(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    self.box = box
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      switch child.type {
      case "mvhd": readHeader(child, &reader)
      case "trak":
        guard tracks.count < Self.trackLimit else {
          note(StructureFinding(.corrupt, "more than \(Self.trackLimit) tracks"))
          return
        }
        let track = ISOMediaTrack(child, &reader)
        for fault in track.faults { note(fault) }
        tracks.append(track)
      case "mvex": readExtends(child, &reader)
      case "udta", "meta":
        let metadata = ISOMediaMetadata(child, &reader)
        coverArt = coverArt ?? metadata.coverArt
        location = location ?? metadata.location
      default: break
      }
    }
    note(walk.fault)
    // Without a header no player opens the movie.
    if !hasHeader { note(StructureFinding(.corrupt, "box \(box.name) has no 'mvhd' box")) }
  }

  private mutating func note(_ fault: StructureFinding?) {
    if let fault, faults.count < 8 { faults.append(fault) }
  }

  private mutating func readHeader(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    guard let times = ISOMediaTimes(box, &reader) else {
      note(StructureFinding(.corrupt, "box \(box.name) is too short"))
      return
    }
    hasHeader = true
    timescale = times.timescale
    duration = times.duration
    if let contradiction = times.contradiction { note(StructureFinding(.corrupt, contradiction)) }
    if timescale == 0 {
      note(StructureFinding(.corrupt, "the time scale in box \(box.name) is 0"))
    }
  }

  private mutating func readExtends(_ box: ISOMediaBox, _ reader: inout ByteReader) {
    isFragmented = true
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      switch child.type {
      case "mehd":
        let isWide = reader.byte(at: child.content) == 1
        fragmentDuration = reader.bigEndian(at: child.content + 4, count: isWide ? 8 : 4)
      case "trex":
        guard fragmentDefaults.count < Self.trackLimit,
          let id = reader.bigEndian(at: child.content + 4, count: 4),
          let duration = reader.bigEndian(at: child.content + 12, count: 4),
          let size = reader.bigEndian(at: child.content + 16, count: 4)
        else { continue }
        fragmentDefaults[UInt32(id)] = FragmentDefaults(
          duration: UInt32(duration),
          size: UInt32(size)
        )
      default: break
      }
    }
    note(walk.fault)
  }
}
