package import AttachmentModel

/// The structure of a Matroska or WebM file, as far as naming it takes: tracks and extent.
///
/// Source: RFC 8794 for EBML; RFC 9559 for Matroska.
package enum MatroskaStructure {
  private enum Identifier {
    static let documentType: UInt32 = 0x4282
    static let segment: UInt32 = 0x1853_8067
    static let information: UInt32 = 0x1549_A966
    static let timestampScale: UInt32 = 0x2A_D7B1
    static let duration: UInt32 = 0x4489
    static let tracks: UInt32 = 0x1654_AE6B
    static let track: UInt32 = 0xAE
    static let trackType: UInt32 = 0x83
    static let codec: UInt32 = 0x86
    static let video: UInt32 = 0xE0
    static let width: UInt32 = 0xB0
    static let height: UInt32 = 0xBA
    static let cluster: UInt32 = 0x1F43_B675
  }

  /// Inspects a file that begins with an EBML header.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, size, codecs, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .other
    inspection.kind = .movie
    inspection.contentName = "Matroska"
    guard let header = MatroskaElement(&reader, at: 0, parentEnd: reader.size),
      header.end <= reader.size
    else {
      inspection.findings.append(.init(.truncated, "the EBML header is cut"))
      return
    }
    var walk = MatroskaWalk(header)
    while let element = walk.next(&reader) {
      guard element.identifier == Identifier.documentType else { continue }
      if text(&reader, element) == "webm" {
        inspection.format = .webm
        inspection.contentName = nil
      }
    }
    guard let segment = MatroskaElement(&reader, at: header.end, parentEnd: reader.size),
      segment.identifier == Identifier.segment
    else {
      inspection.findings.append(
        .init(reader.size - header.end < 12 ? .truncated : .corrupt, "no segment behind the header")
      )
      return
    }
    readSegment(segment, &reader, &inspection)
  }

  private static func readSegment(
    _ segment: MatroskaElement,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    var hasTracks = false
    var hasClusters = false
    var lastEnd = segment.content
    var walk = MatroskaWalk(segment)
    while let element = walk.next(&reader) {
      lastEnd = max(lastEnd, element.end)
      switch element.identifier {
      case Identifier.information: readInformation(element, &reader, &inspection)
      case Identifier.tracks:
        hasTracks = true
        readTracks(element, &reader, &inspection)
      case Identifier.cluster: hasClusters = true
      default: break
      }
    }
    let end = segment.hasKnownSize ? max(segment.end, lastEnd) : lastEnd
    if end > reader.size {
      inspection.findings.append(
        .init(
          .truncated,
          "the segment ends at byte \(end), \(ByteCount(end - reader.size).exactly) beyond the end"
        )
      )
    } else if !hasTracks {
      inspection.findings.append(.init(.corrupt, "no track list"))
    } else if !hasClusters {
      inspection.findings.append(.init(.truncated, "no cluster behind the track list"))
    } else if inspection.videoCodec == nil, inspection.audioCodec == nil {
      inspection.findings.append(.init(.noMedia, "no video or audio track"))
    }
    if inspection.videoCodec == nil, inspection.audioCodec != nil { inspection.kind = .audio }
  }

  private static func readInformation(
    _ information: MatroskaElement,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    var scale: Double = 1_000_000
    var ticks: Double?
    var walk = MatroskaWalk(information)
    while let element = walk.next(&reader) {
      switch element.identifier {
      case Identifier.timestampScale: scale = Double(element.number(&reader) ?? 1_000_000)
      case Identifier.duration:
        guard let bits = element.number(&reader) else { continue }
        ticks =
          element.size == 4
          ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
      default: break
      }
    }
    guard let ticks else { return }
    let nanoseconds = ticks * scale
    if nanoseconds.isFinite, nanoseconds > 0, nanoseconds < 9e18 {
      inspection.duration = .nanoseconds(Int64(nanoseconds))
    }
  }

  private static func readTracks(
    _ tracks: MatroskaElement,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    var walk = MatroskaWalk(tracks)
    while let track = walk.next(&reader) {
      guard track.identifier == Identifier.track else { continue }
      var type: UInt64?
      var codec: String?
      var dimensions: (width: Int?, height: Int?) = (nil, nil)
      var fields = MatroskaWalk(track)
      while let field = fields.next(&reader) {
        switch field.identifier {
        case Identifier.trackType: type = field.number(&reader)
        case Identifier.codec: codec = text(&reader, field).map(MatroskaCodecs.name)
        case Identifier.video: dimensions = readVideo(field, &reader)
        default: break
        }
      }
      if type == 1, inspection.videoCodec == nil {
        inspection.videoCodec = codec ?? "unknown"
        inspection.width = dimensions.width
        inspection.height = dimensions.height
      } else if type == 2, inspection.audioCodec == nil {
        inspection.audioCodec = codec ?? "unknown"
      }
    }
  }

  private static func readVideo(
    _ video: MatroskaElement,
    _ reader: inout ByteReader
  ) -> (width: Int?, height: Int?) {
    var dimensions: (width: Int?, height: Int?) = (nil, nil)
    var walk = MatroskaWalk(video)
    while let field = walk.next(&reader) {
      switch field.identifier {
      case Identifier.width: dimensions.width = field.number(&reader).flatMap(Int.init(exactly:))
      case Identifier.height: dimensions.height = field.number(&reader).flatMap(Int.init(exactly:))
      default: break
      }
    }
    return dimensions
  }

  private static func text(_ reader: inout ByteReader, _ element: MatroskaElement) -> String? {
    guard element.size <= 64,
      let bytes = reader.bytes(at: element.content, count: Int(element.size))
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// What Matroska's codec identifiers are called.
enum MatroskaCodecs {
  private static let names: [String: String] = [
    "V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1", "V_MPEG4/ISO/AVC": "h264",
    "V_MPEGH/ISO/HEVC": "hevc", "V_MPEG4/ISO/SP": "mpeg4", "V_MPEG4/ISO/ASP": "mpeg4",
    "V_MPEG1": "mpeg1video", "V_MPEG2": "mpeg2video", "V_THEORA": "theora", "V_MJPEG": "mjpeg",
    "A_VORBIS": "vorbis", "A_OPUS": "opus", "A_FLAC": "flac", "A_MPEG/L3": "mp3",
    "A_MPEG/L2": "mp2", "A_AC3": "ac3", "A_EAC3": "eac3", "A_DTS": "dts", "A_ALAC": "alac",
  ]

  /// A codec's name; the identifier itself where it is none of the known ones.
  static func name(_ identifier: String) -> String {
    if let name = names[identifier] { return name }
    return identifier.hasPrefix("A_AAC") ? "aac" : identifier.lowercased()
  }
}
