package import AttachmentModel

/// The structure of a FLAC file: its metadata blocks, and the frame that the end must be.
///
/// Source: RFC 9639.
package enum FLACStructure {
  private static let streamInformation: UInt8 = 0
  private static let picture: UInt8 = 6

  /// Inspects a file that begins with `fLaC`, or with an ID3 tag before it.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, codec, cover, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .flac
    inspection.kind = .audio
    inspection.contentName = nil
    inspection.audioCodec = "flac"
    var offset = ID3Lead(&reader).end + 4
    var stream: FLACStreamInformation?
    var isLast = false
    while !isLast {
      guard let header = reader.bigEndian(at: offset, count: 4) else {
        inspection.findings.append(
          .init(.truncated, "the file ends in its metadata, at byte \(offset)")
        )
        return
      }
      isLast = header >> 31 == 1
      let type = UInt8(truncatingIfNeeded: header >> 24 & 0x7F)
      let end = offset + 4 + Int64(header & 0xFF_FFFF)
      guard end <= reader.size else {
        inspection.findings.append(
          .init(
            .truncated,
            "metadata block \(type) at byte \(offset) lacks \(ByteCount(end - reader.size).exactly)"
          )
        )
        return
      }
      if type == streamInformation { stream = FLACStreamInformation(&reader, at: offset + 4) }
      if type == picture, inspection.coverArt == nil {
        inspection.coverArt = pictureRange(&reader, in: offset + 4..<end)
      }
      offset = end
    }
    guard let stream else {
      inspection.findings.append(.init(.corrupt, "no stream information"))
      return
    }
    inspection.duration = AudioTime.duration(samples: stream.samples, rate: stream.sampleRate)
    let end = MPEGAudioEndTags(&reader, after: offset).audioEnd
    guard end > offset else {
      inspection.findings.append(.init(.truncated, "no frame behind the metadata"))
      return
    }
    guard reader.byte(at: offset) == 0xFF, (reader.byte(at: offset + 1) ?? 0) & 0xFE == 0xF8 else {
      inspection.findings.append(.init(.corrupt, "no frame at byte \(offset)"))
      return
    }
    if !stream.endsWithLastFrame(&reader, frames: offset..<end) {
      inspection.findings.append(
        .init(.truncated, "the last frame of \(stream.samples) samples does not end the file")
      )
    }
  }

  /// Skips type, MIME type, description, dimensions and colours of a picture block.
  private static func pictureRange(
    _ reader: inout ByteReader,
    in block: Range<Int64>
  ) -> Range<Int64>? {
    guard let mimeSize = reader.bigEndian(at: block.lowerBound + 4, count: 4) else { return nil }
    var offset = block.lowerBound + 8 + Int64(mimeSize)
    guard let textSize = reader.bigEndian(at: offset, count: 4) else { return nil }
    offset += 4 + Int64(textSize) + 16
    guard let size = reader.bigEndian(at: offset, count: 4), size > 0 else { return nil }
    let start = offset + 4
    guard start + Int64(size) <= block.upperBound else { return nil }
    return start..<start + Int64(size)
  }
}
