import AttachmentModel

/// One pass over the markers of one JPEG picture.
struct JPEGWalk {
  private(set) var frame: JPEGFrame?
  /// Where the picture ends, behind EOI, if it does.
  private(set) var end: Int64?

  private let start: Int64
  private var position: Int64
  private var tables = JPEGTables()
  private var linesBehindScan: Int?
  private var scans = 0
  /// Set with the first contradiction; one is enough to know that the file is damaged.
  private var isCorrupt = false

  /// Encoders write some ten scans; thousands serve only to keep a decoder busy.
  private static let mostScans = 1_000

  /// A walk over the picture whose SOI stands at `start`.
  init(start: Int64) {
    self.start = start
    position = start + 2
  }

  /// The frame header's height, or the one that a DNL segment states behind the first scan.
  var height: Int? {
    guard let frame else { return nil }
    return frame.height == 0 ? linesBehindScan ?? 0 : frame.height
  }

  /// Walks to EOI, or to the end of the file.
  mutating func run(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    while end == nil {
      let segment = position
      guard let marker = nextMarker(&reader, into: &inspection) else {
        if frame == nil, isCorrupt { return }
        add(.truncated, "ends at offset \(reader.size) without an end marker", &inspection)
        return
      }
      switch marker {
      case 0xD9: end = position
      case 0x01, 0xD0...0xD7: continue
      case 0xD8: corrupt("a second start marker at offset \(segment)", &inspection)
      default:
        guard let length = reader.bigEndian(at: position, count: 2).map(Int64.init),
          length < 2 || position + length <= reader.size
        else {
          add(.truncated, "ends inside the segment at offset \(segment)", &inspection)
          return
        }
        guard length >= 2 else {
          corrupt("the segment at offset \(segment) has the length \(length)", &inspection)
          continue
        }
        let body = position + 2
        position += length
        take(marker, from: body, to: position, &reader, &inspection)
        guard scans <= Self.mostScans else {
          corrupt("more than \(Self.mostScans) scans", &inspection)
          return
        }
      }
    }
    conclude(&inspection)
  }

  /// The code of the next marker, which ends up behind the position.
  private mutating func nextMarker(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) -> UInt8? {
    let from = position
    guard
      let found = reader.firstIndex(of: 0xFF, from: from, before: { $0 != 0 && $0 != 0xFF }),
      let code = reader.byte(at: found + 1)
    else {
      position = reader.size
      return nil
    }
    position = found + 2
    // Stray bytes between segments are passed over, but not those that hide what comes first.
    if from == start + 2, found > from, !reader.matches([0xFF, 0xFF], at: from) {
      corrupt("no marker behind the start marker at offset \(from)", &inspection)
    }
    return code
  }

  private mutating func take(
    _ marker: UInt8,
    from body: Int64,
    to end: Int64,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    let content = { (reader: inout ByteReader) in
      reader.bytes(at: body, count: Int(end - body)) ?? []
    }
    switch marker {
    case 0xC4:
      if let problem = tables.defineHuffman(content(&reader)) {
        corrupt("\(problem), at offset \(body)", &inspection)
      }
    case 0xC8, 0x02...0xBF:
      corrupt("the reserved marker \(marker) before offset \(body)", &inspection)
    case 0xC0...0xCF where marker != 0xCC, 0xF7:
      takeFrame(marker, content(&reader), at: body, &inspection)
    case 0xDB:
      if let problem = tables.defineQuantization(content(&reader)) {
        corrupt("\(problem), at offset \(body)", &inspection)
      }
    case 0xDC:
      linesBehindScan = reader.bigEndian(at: body, count: 2).map(Int.init)
    case 0xDA:
      takeScan(content(&reader), at: body, &reader, &inspection)
    case 0xE1:
      if reader.matches("Exif\0".utf8, at: body) {
        EmbeddedMetadata.readExif(&reader, from: body + 6, to: end, into: &inspection)
      } else if reader.matches("http://ns.adobe.com/xap/".utf8, at: body) {
        EmbeddedMetadata.readXMP(&reader, from: body, to: end, into: &inspection)
      }
    default: break
    }
  }

  private mutating func takeFrame(
    _ marker: UInt8,
    _ body: ArraySlice<UInt8>,
    at offset: Int64,
    _ inspection: inout MediaInspection
  ) {
    guard frame == nil else {
      corrupt("a second frame header at offset \(offset)", &inspection)
      return
    }
    switch JPEGFrame.read(marker: marker, body) {
    case .failure(let problem):
      corrupt("the frame header at offset \(offset): \(problem.text)", &inspection)
    case .success(let found):
      frame = found
      if let reason = found.unsupported { add(.unsupportedVariant, reason, &inspection) }
      if found.width == 0 {
        corrupt("the frame is 0 by \(found.height) pixels", &inspection)
      }
    }
  }

  private mutating func takeScan(
    _ body: ArraySlice<UInt8>,
    at offset: Int64,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    let first = scans == 0
    scans += 1
    guard let frame else {
      if first { corrupt("a scan at offset \(offset) before any frame header", &inspection) }
      skipEntropy(&reader)
      return
    }
    let scan = JPEGScan(body, in: frame)
    if frame.unsupported == nil, let problem = scan.contradiction(in: frame, with: tables) {
      corrupt("the scan at offset \(offset): \(problem)", &inspection)
    }
    let entropyStart = position
    skipEntropy(&reader)
    // The lines that a DNL segment adds are not known yet; then the bound is too low, and sound.
    let needed = frame.unsupported == nil ? scan.leastBytes(in: frame) : 0
    if position - entropyStart < needed, position < reader.size {
      corrupt(
        "the scan at offset \(offset) has \(position - entropyStart) bytes; "
          + "\(frame.width) by \(frame.height) pixels take at least \(needed)",
        &inspection
      )
    }
  }

  /// Goes to the marker that ends the entropy-coded bytes: any but FF00h, RSTn and fill bytes.
  private mutating func skipEntropy(_ reader: inout ByteReader) {
    position =
      reader.firstIndex(of: 0xFF, from: position) {
        $0 != 0x00 && $0 != 0xFF && !(0xD0...0xD7).contains($0)
      } ?? reader.size
  }

  private mutating func conclude(_ inspection: inout MediaInspection) {
    if frame == nil {
      corrupt("no frame header before the end marker", &inspection)
    } else if scans == 0 {
      corrupt("no scan before the end marker", &inspection)
    } else if height == 0 {
      corrupt("the frame is \(frame?.width ?? 0) by 0 pixels", &inspection)
    }
  }

  private mutating func corrupt(_ detail: String, _ inspection: inout MediaInspection) {
    if !isCorrupt { add(.corrupt, detail, &inspection) }
    isCorrupt = true
  }

  private func add(
    _ kind: StructureFinding.Kind,
    _ detail: String,
    _ inspection: inout MediaInspection
  ) {
    inspection.findings.append(StructureFinding(kind, detail))
  }
}
