package import AttachmentModel

/// The structure of an ADTS stream: AAC frames, each with a header of its own.
package enum ADTSStructure {
  /// Where an unlabelled file's ADTS frames begin, or nothing where it has none.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - start: Where to begin to look; the search goes 64 KiB far.
  /// - Returns: The offset of the first of three frames that agree, or of two up to the very end.
  package static func find(_ reader: inout ByteReader, from start: Int64) -> Int64? {
    let tags = MPEGAudioEndTags(&reader, after: start)
    return AudioFrameWalk<ADTSHeader>.find(&reader, from: start, audioEnd: tags.audioEnd)?.start
  }

  /// Inspects a file that begins with ADTS frames, with or without an ID3 tag before them.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, codec, cover, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .aacADTS
    inspection.kind = .audio
    inspection.contentName = nil
    inspection.audioCodec = "aac"
    let lead = ID3Lead(&reader)
    inspection.coverArt = lead.coverArt
    let tags = MPEGAudioEndTags(&reader, after: min(lead.end, reader.size))
    var start = AudioFrameWalk<ADTSHeader>
      .find(&reader, from: lead.end, audioEnd: tags.audioEnd)
    if start == nil, let header = ADTSHeader(&reader, at: lead.end) {
      start = AudioFrameWalk(start: lead.end, first: header)
    }
    guard var walk = start else {
      inspection.findings.append(.init(.corrupt, "no run of frames from byte \(lead.end)"))
      return
    }
    walk.run(&reader, audioEnd: tags.audioEnd)
    guard walk.frames > 0 else {
      inspection.findings.append(
        .init(
          .truncated,
          "the first frame, at byte \(walk.start), lacks "
            + ByteCount(walk.missingBytes ?? 0).exactly
        )
      )
      return
    }
    inspection.duration = AudioTime.duration(samples: walk.samples, rate: walk.first.sampleRate)
    walk.note(&inspection, audioEnd: tags.audioEnd)
  }
}
