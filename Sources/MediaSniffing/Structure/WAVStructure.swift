package import AttachmentModel

/// The structure of a WAVE file: RIFF, RIFX (big-endian), RF64 and BW64 (64-bit sizes).
///
/// Source: Microsoft and IBM, Multimedia Programming Interface 1.0; EBU Tech 3306 for RF64.
package enum WAVStructure {
  /// Inspects a file that begins as a WAVE file does.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, codec, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .wav
    inspection.kind = .audio
    inspection.contentName = nil
    let form = FourCharacterCode(&reader, at: 0)
    let isBigEndian = form == "RIFX"
    let isWide = form == "RF64" || form == "BW64"
    var wideDataSize: Int64?
    var format: Format?
    var hasData = false

    var walk = RIFFChunkWalk(from: 12, to: reader.size, isBigEndian: isBigEndian)
    chunks: while let chunk = walk.next(&reader) {
      switch chunk.name {
      case "ds64":
        wideDataSize = reader.littleEndian(at: chunk.content + 8, count: 8)
          .flatMap(Int64.init(exactly:))
      case "fmt": format = format ?? Format(chunk, isBigEndian, &reader)
      case "data" where !hasData:
        hasData = true
        readData(
          chunk,
          wideSize: isWide ? wideDataSize : nil,
          format,
          &reader,
          &inspection
        )
        // Chunks behind data of 64-bit size are not needed, and not to be found by this walk.
        if chunk.declaredSize == 0xFFFF_FFFF { break chunks }
      default:
        if chunk.end > reader.size {
          inspection.findings.append(
            .init(.truncated, RIFFChunkWalk.shortfall(of: chunk, size: reader.size))
          )
        }
      }
    }
    guard let format else {
      inspection.findings.append(.init(reader.size < 36 ? .truncated : .corrupt, "no 'fmt' chunk"))
      return
    }
    inspection.audioCodec = format.codec
    if !hasData, !inspection.has(.truncated) {
      inspection.findings.append(.init(.truncated, "the file ends before any 'data' chunk"))
    }
  }

  private static func readData(
    _ chunk: RIFFChunk,
    wideSize: Int64?,
    _ format: Format?,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    let present = max(0, reader.size - chunk.content)
    var size = chunk.declaredSize
    // Who writes into a pipe leaves the size open: then the data take the rest.
    if size == 0xFFFF_FFFF { size = wideSize ?? present }
    if size < 0 || size > present {
      let detail =
        size < 0
        ? "the 'data' chunk claims \(size) bytes"
        : "the 'data' chunk at \(chunk.start) has \(size) bytes, of which \(present) are there"
      inspection.findings.append(.init(size < 0 ? .corrupt : .truncated, detail))
    }
    if let format, format.bytesPerSecond > 0 {
      inspection.duration = AudioTime.duration(
        samples: min(size, present),
        rate: format.bytesPerSecond
      )
    }
    if size == 0 { inspection.findings.append(.init(.noMedia, "the 'data' chunk is empty")) }
  }

  private struct Format {
    let codec: String
    let bytesPerSecond: Int64

    init?(_ chunk: RIFFChunk, _ isBigEndian: Bool, _ reader: inout ByteReader) {
      let start = chunk.content
      guard chunk.declaredSize >= 14,
        var tag = RIFFChunkWalk.number(&reader, at: start, count: 2, isBigEndian),
        let rate = RIFFChunkWalk.number(&reader, at: start + 8, count: 4, isBigEndian)
      else { return nil }
      let bits = RIFFChunkWalk.number(&reader, at: start + 14, count: 2, isBigEndian) ?? 0
      // The extensible kind has the tag at the beginning of a GUID.
      if tag == 0xFFFE, chunk.declaredSize >= 40 {
        tag = RIFFChunkWalk.number(&reader, at: start + 24, count: 2, isBigEndian) ?? tag
      }
      codec = RIFFWaveFormat.codec(
        tag: tag,
        bits: chunk.declaredSize >= 16 ? bits : 8,
        isBigEndian: isBigEndian
      )
      bytesPerSecond = Int64(rate)
    }
  }
}
