package import AttachmentModel

/// The structure of an AVI file: stream headers, and where the interleaved data end.
///
/// Source: Microsoft, AVI RIFF File Reference; OpenDML AVI Extensions 1.02 for files of several
/// RIFF forms.
package enum AVIStructure {
  /// Inspects a file that begins as an AVI file does.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, size, codecs, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .avi
    inspection.kind = .movie
    inspection.contentName = nil
    var hasMovie = false
    var forms = RIFFChunkWalk(from: 0, to: reader.size, isBigEndian: false)
    while let form = forms.next(&reader), form.name == "RIFF" {
      var isWhole = true
      var chunks = RIFFChunkWalk(from: form.content + 4, to: form.end, isBigEndian: false)
      while let chunk = chunks.next(&reader) {
        if chunk.end > reader.size {
          isWhole = false
          noteTruncated(RIFFChunkWalk.shortfall(of: chunk, size: reader.size), &inspection)
        }
        guard chunk.name == "LIST" else { continue }
        switch FourCharacterCode(&reader, at: chunk.content) {
        case "hdrl": readHeaders(chunk, &reader, &inspection)
        case "movi": hasMovie = true
        default: break
        }
      }
      // A byte of padding at the very end is often left out.
      if isWhole, form.end > reader.size + 1 {
        noteTruncated(RIFFChunkWalk.shortfall(of: form, size: reader.size), &inspection)
      }
    }
    guard !inspection.has(.truncated) else { return }
    if !hasMovie {
      inspection.findings.append(.init(.corrupt, "no 'movi' list"))
    } else if inspection.videoCodec == nil, inspection.audioCodec == nil {
      inspection.findings.append(.init(.noMedia, "no video or audio stream"))
    }
  }

  private static func noteTruncated(_ detail: String, _ inspection: inout MediaInspection) {
    if !inspection.has(.truncated) { inspection.findings.append(.init(.truncated, detail)) }
  }

  private static func readHeaders(
    _ list: RIFFChunk,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    var walk = RIFFChunkWalk(from: list.content + 4, to: list.end, isBigEndian: false)
    while let chunk = walk.next(&reader) {
      if chunk.name == "LIST", FourCharacterCode(&reader, at: chunk.content) == "strl" {
        readStream(chunk, &reader, &inspection)
      }
    }
  }

  private static func readStream(
    _ list: RIFFChunk,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    var kind: FourCharacterCode?
    var header: RIFFChunk?
    var walk = RIFFChunkWalk(from: list.content + 4, to: list.end, isBigEndian: false)
    while let chunk = walk.next(&reader) {
      switch chunk.name {
      case "strh":
        kind = FourCharacterCode(&reader, at: chunk.content)
        header = chunk
      case "strf" where kind == "vids" && inspection.videoCodec == nil:
        readVideo(chunk, header: header, &reader, &inspection)
      case "strf" where kind == "auds" && inspection.audioCodec == nil:
        if let tag = reader.littleEndian(at: chunk.content, count: 2) {
          let bits = reader.littleEndian(at: chunk.content + 14, count: 2) ?? 0
          inspection.audioCodec = RIFFWaveFormat.codec(tag: tag, bits: bits, isBigEndian: false)
        }
      default: break
      }
    }
  }

  private static func readVideo(
    _ chunk: RIFFChunk,
    header: RIFFChunk?,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    guard let width = reader.littleEndian(at: chunk.content + 4, count: 4),
      let height = reader.littleEndian(at: chunk.content + 8, count: 4),
      let name = FourCharacterCode(&reader, at: chunk.content + 16)
    else { return }
    inspection.videoCodec = codec(name)
    inspection.width = Int(width)
    // A negative height means rows from the top.
    inspection.height = Int(Int32(truncatingIfNeeded: height).magnitude)
    guard let header,
      let scale = reader.littleEndian(at: header.content + 20, count: 4),
      let rate = reader.littleEndian(at: header.content + 24, count: 4),
      let frames = reader.littleEndian(at: header.content + 32, count: 4)
    else { return }
    inspection.frames = Int(frames)
    let (samples, overflow) = Int64(frames).multipliedReportingOverflow(by: Int64(scale))
    if !overflow { inspection.duration = AudioTime.duration(samples: samples, rate: Int64(rate)) }
  }

  private static func codec(_ name: FourCharacterCode) -> String {
    switch name.text.uppercased() {
    case "H264", "X264", "AVC1", "DAVC": "h264"
    case "HEVC", "H265", "HVC1": "hevc"
    case "XVID", "DIVX", "DX50", "FMP4", "MP4V", "M4S2", "MP4S", "3IV2": "mpeg4"
    case "MPG4", "MP41", "DIV1": "msmpeg4v1"
    case "MP42", "DIV2": "msmpeg4v2"
    case "MP43", "DIV3", "DIV4", "DIV5", "DIV6": "msmpeg4v3"
    case "MJPG": "mjpeg"
    case "CVID": "cinepak"
    case "MPG1": "mpeg1video"
    case "MPG2", "MPEG": "mpeg2video"
    case "DVSD", "DVHD": "dv"
    case "VP80": "vp8"
    case "VP90": "vp9"
    case "AV01": "av1"
    case "H263", "U263": "h263"
    case "....", "DIB", "RGB", "YUY2", "UYVY", "I420", "YV12": "rawvideo"
    default: name.text.lowercased()
    }
  }
}
