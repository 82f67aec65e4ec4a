package import AttachmentModel

/// The structure of an AIFF or AIFF-C file.
///
/// Source: Apple, Audio Interchange File Format 1.3, and its AIFF-C draft.
package enum AIFFStructure {
  /// Inspects a file that begins as an AIFF file does.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, codec, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .aiff
    inspection.kind = .audio
    inspection.contentName = nil
    let isCompressed = FourCharacterCode(&reader, at: 8) == "AIFC"
    var frames: Int64?
    var hasSound = false
    var walk = RIFFChunkWalk(from: 12, to: reader.size, isBigEndian: true)
    while let chunk = walk.next(&reader) {
      if chunk.end > reader.size {
        inspection.findings.append(
          .init(.truncated, RIFFChunkWalk.shortfall(of: chunk, size: reader.size))
        )
      }
      switch chunk.name {
      case "COMM" where frames == nil:
        frames = reader.bigEndian(at: chunk.content + 2, count: 4).map(Int64.init)
        readFormat(chunk, isCompressed: isCompressed, frames: frames ?? 0, &reader, &inspection)
      case "SSND": hasSound = true
      default: break
      }
    }
    guard !inspection.has(.truncated) else { return }
    let formEnd = 8 + Int64(reader.bigEndian(at: 4, count: 4) ?? 0)
    // A byte of padding at the very end is often left out.
    if formEnd > reader.size + 1 {
      inspection.findings.append(
        .init(
          .truncated,
          "the form ends at byte \(formEnd), \(formEnd - reader.size) beyond the end"
        )
      )
    } else if frames == nil {
      inspection.findings.append(.init(.corrupt, "no 'COMM' chunk"))
    } else if !hasSound || frames == 0 {
      inspection.findings.append(.init(.noMedia, "no samples"))
    }
  }

  private static func readFormat(
    _ chunk: RIFFChunk,
    isCompressed: Bool,
    frames: Int64,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    let bits = reader.bigEndian(at: chunk.content + 6, count: 2) ?? 0
    var compression: FourCharacterCode = "NONE"
    if isCompressed, let name = FourCharacterCode(&reader, at: chunk.content + 18) {
      compression = name
    }
    inspection.audioCodec = codec(compression, bits: bits)
    if let rate = sampleRate(&reader, at: chunk.content + 8) {
      inspection.duration = AudioTime.duration(samples: frames, rate: rate)
    }
  }

  private static func codec(_ compression: FourCharacterCode, bits: UInt64) -> String {
    let width = max(8, (bits + 7) / 8 * 8)
    return switch compression {
    case "NONE", "twos", "in24", "in32": width == 8 ? "pcm_s8" : "pcm_s\(width)be"
    case "sowt": width == 8 ? "pcm_s8" : "pcm_s\(width)le"
    case "raw": "pcm_u8"
    case "fl32", "FL32": "pcm_f32be"
    case "fl64", "FL64": "pcm_f64be"
    case "alaw", "ALAW": "pcm_alaw"
    case "ulaw", "ULAW": "pcm_mulaw"
    case "ima4": "adpcm_ima_qt"
    default: compression.text.lowercased()
    }
  }

  /// The whole part of a number in the 80-bit extended format; no rate is more than 32 bits wide.
  private static func sampleRate(_ reader: inout ByteReader, at offset: Int64) -> Int64? {
    guard let head = reader.bigEndian(at: offset, count: 2),
      let mantissa = reader.bigEndian(at: offset + 2, count: 8)
    else { return nil }
    let exponent = Int(head & 0x7FFF) - 16_383
    guard head & 0x8000 == 0, (0..<32).contains(exponent) else { return nil }
    return Int64(mantissa >> UInt64(63 - exponent))
  }
}
