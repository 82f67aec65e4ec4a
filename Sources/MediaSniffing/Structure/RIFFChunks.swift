import AttachmentModel

/// A chunk of a RIFF or IFF file.
struct RIFFChunk {
  let name: FourCharacterCode
  /// Where the header begins.
  let start: Int64
  /// Where the content begins.
  let content: Int64
  /// Where the content says that it ends; may lie behind the end of the file.
  let end: Int64
  /// The size as it is written.
  let declaredSize: Int64
}

/// Goes through the chunks of one level; an odd size is followed by a byte of padding.
///
/// Source: Microsoft and IBM, Multimedia Programming Interface 1.0; EA IFF 85 for the big-endian
/// kind.
struct RIFFChunkWalk {
  private(set) var offset: Int64
  private let limit: Int64
  private let isBigEndian: Bool

  /// A walk through a range of chunks.
  init(from start: Int64, to end: Int64, isBigEndian: Bool) {
    offset = start
    limit = end
    self.isBigEndian = isBigEndian
  }

  /// The next chunk, or nothing at the end of the range or of the file.
  mutating func next(_ reader: inout ByteReader) -> RIFFChunk? {
    guard offset >= 0, limit - offset >= 8, let name = FourCharacterCode(&reader, at: offset),
      let size = Self.number(&reader, at: offset + 4, count: 4, isBigEndian)
    else { return nil }
    let chunk = RIFFChunk(
      name: name,
      start: offset,
      content: offset + 8,
      end: offset + 8 + Int64(size),
      declaredSize: Int64(size)
    )
    offset = chunk.end + chunk.declaredSize % 2
    return chunk
  }

  /// A number in the file's byte order.
  static func number(
    _ reader: inout ByteReader,
    at offset: Int64,
    count: Int,
    _ isBigEndian: Bool
  ) -> UInt64? {
    isBigEndian
      ? reader.bigEndian(at: offset, count: count)
      : reader.littleEndian(at: offset, count: count)
  }

  /// What is said of a chunk that the file does not hold whole.
  static func shortfall(of chunk: RIFFChunk, size: Int64) -> String {
    "chunk '\(chunk.name.text)' at \(chunk.start) ends at byte \(chunk.end), "
      + "\(ByteCount(chunk.end - size).exactly) beyond the end"
  }
}

/// What wave format tags are called.
///
/// Source: the WAVE form registry of RFC 2361, and mmreg.h.
enum RIFFWaveFormat {
  /// A codec's name; the tag in digits where it is none of the known ones.
  static func codec(tag: UInt64, bits: UInt64, isBigEndian: Bool) -> String {
    let order = isBigEndian ? "be" : "le"
    switch tag {
    case 1: return bits <= 8 ? "pcm_u8" : "pcm_s\((bits + 7) / 8 * 8)\(order)"
    case 2: return "adpcm_ms"
    case 3: return "pcm_f\(bits)\(order)"
    case 6: return "pcm_alaw"
    case 7: return "pcm_mulaw"
    case 0x11: return "adpcm_ima_wav"
    case 0x31, 0x32: return "gsm_ms"
    case 0x50: return "mp2"
    case 0x55: return "mp3"
    case 0xFF, 0x1600, 0x1610, 0x706D: return "aac"
    case 0x160: return "wmav1"
    case 0x161: return "wmav2"
    case 0x162: return "wmapro"
    case 0x2000: return "ac3"
    case 0x2001: return "dts"
    case 0x674F...0x6771: return "vorbis"
    case 0x704F: return "opus"
    case 0xF1AC: return "flac"
    default: return "wave format \(tag)"
    }
  }
}
