package import AttachmentModel

/// The structure of an MPEG audio stream (MP3, MP2, MP1) between its tags.
///
/// Tags in front may stand before other audio, too: what follows them decides.
package enum MPEGAudioStructure {
  /// Where an unlabelled file's MPEG audio begins, or nothing where it is none.
  ///
  /// A header alone turns up by chance every few thousand bytes; three frames that agree, or two
  /// up to the very end, do not.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - start: Where to begin to look; the search goes 64 KiB far.
  /// - Returns: The offset of the first frame.
  package static func find(_ reader: inout ByteReader, from start: Int64) -> Int64? {
    let tags = MPEGAudioEndTags(&reader, after: start)
    return AudioFrameWalk<MPEGAudioHeader>
      .find(&reader, from: start, audioEnd: tags.audioEnd)?.start
  }

  /// Inspects a file that begins with an ID3 tag or a frame header, or whose frames were found.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, codec, cover, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .mp3
    inspection.kind = .audio
    inspection.contentName = nil
    let lead = ID3Lead(&reader)
    inspection.coverArt = lead.coverArt
    guard lead.end <= reader.size else {
      inspection.findings.append(
        .init(
          .truncated,
          "the ID3 tag ends at byte \(lead.end), "
            + "\(ByteCount(lead.end - reader.size).exactly) beyond the end"
        )
      )
      return
    }
    if reader.matches("fLaC".utf8, at: lead.end) {
      FLACStructure.inspect(&reader, into: &inspection)
      return
    }
    let tags = MPEGAudioEndTags(&reader, after: lead.end)
    let found = AudioFrameWalk<MPEGAudioHeader>
      .find(&reader, from: lead.end, audioEnd: tags.audioEnd)
    let foundADTS = AudioFrameWalk<ADTSHeader>
      .find(&reader, from: lead.end, audioEnd: tags.audioEnd)
    if let foundADTS, found.map({ foundADTS.start < $0.start }) ?? true {
      ADTSStructure.inspect(&reader, into: &inspection)
      return
    }
    guard let walk = found ?? shortStream(&reader, from: lead.end, end: tags.audioEnd) else {
      explainMissingFrames(&reader, from: lead.end, tags, &inspection)
      return
    }
    fill(&inspection, walk, tags, &reader)
  }

  /// A stream of one whole frame, or two of which the second is cut: too little to be found
  /// anywhere, enough where a frame has to begin.
  private static func shortStream(
    _ reader: inout ByteReader,
    from start: Int64,
    end: Int64
  ) -> AudioFrameWalk<MPEGAudioHeader>? {
    guard let header = MPEGAudioHeader(&reader, at: start), header.length <= end - start else {
      return nil
    }
    let second = start + header.length
    if second < end {
      guard let next = MPEGAudioHeader(&reader, at: second), next.continues(header) else {
        return nil
      }
    }
    return AudioFrameWalk(start: start, first: header)
  }

  private static func explainMissingFrames(
    _ reader: inout ByteReader,
    from start: Int64,
    _ tags: MPEGAudioEndTags,
    _ inspection: inout MediaInspection
  ) {
    let room = tags.audioEnd - start
    guard room > 0 else {
      inspection.findings.append(.init(.corrupt, "only tags, no frame of audio"))
      return
    }
    if let header = MPEGAudioHeader(&reader, at: start), header.length > room {
      name(header, &inspection)
      inspection.findings.append(
        .init(.truncated, "the first frame has \(header.length) bytes, of which \(room) are there")
      )
    } else if isFreeFormat(&reader, at: start) {
      inspection.findings.append(
        .init(.unsupportedVariant, "frames of free-format bitrate at byte \(start)")
      )
    } else {
      inspection.findings.append(
        .init(.corrupt, "no run of frames within \(room) bytes from byte \(start)")
      )
    }
  }

  /// Whether two headers without a bitrate follow each other within the longest possible frame.
  private static func isFreeFormat(_ reader: inout ByteReader, at start: Int64) -> Bool {
    guard let bits = reader.bigEndian(at: start, count: 4),
      let header = MPEGAudioHeader(bits: UInt32(bits)), header.bitrate == nil
    else { return false }
    let part = Array(reader.prefix(at: start + 4, upTo: 4_096))
    return part.indices.contains { index in
      guard part[index] == 0xFF, index + 4 <= part.count else { return false }
      let next = part[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      // All but padding, private bit and mode extension stay as they are.
      return next & 0xFFFF_FCC0 == UInt32(bits) & 0xFFFF_FCC0
    }
  }

  private static func name(_ header: MPEGAudioHeader, _ inspection: inout MediaInspection) {
    inspection.audioCodec = "mp\(header.layer)"
    guard header.layer < 3 else { return }
    inspection.format = .other
    inspection.contentName = "MPEG audio layer \(header.layer == 1 ? "I" : "II")"
  }

  private static func fill(
    _ inspection: inout MediaInspection,
    _ found: AudioFrameWalk<MPEGAudioHeader>,
    _ tags: MPEGAudioEndTags,
    _ reader: inout ByteReader
  ) {
    var walk = found
    walk.run(&reader, audioEnd: tags.audioEnd)
    name(walk.first, &inspection)
    let promise = MPEGAudioPromise(&reader, at: walk.start, header: walk.first)
    let frames = walk.frames - (promise == nil ? 0 : 1)
    let samples = walk.samples - (promise == nil ? 0 : walk.first.samples)
    inspection.duration = AudioTime.duration(samples: samples, rate: walk.first.sampleRate)

    // Where tags stand behind the audio, the end is there: then the promise is merely wrong, as
    // when a stream was shortened by a program that knows nothing of the header.
    let shortfall = promise?.shortfall(frames: frames, bytes: walk.end - walk.start)
    if let shortfall, !tags.isPresent {
      inspection.findings.append(.init(.truncated, shortfall))
    }
    walk.note(&inspection, audioEnd: tags.audioEnd)
  }
}
