/// The tags that stand behind the audio: ID3v1, APEv2, Lyrics3, and a trailing ID3v2.4.
///
/// Sources: id3.org for ID3v1, the ID3v2.4 footer and Lyrics3; the APEv2 specification.
struct MPEGAudioEndTags {
  /// The first byte behind the audio.
  private(set) var audioEnd: Int64
  /// Whether there is any: then the end of the file is the end that it was given.
  var isPresent: Bool {
    audioEnd < size
  }

  private let size: Int64

  /// Takes tags off the end, as many as there are within reason.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - start: Where the tags at the beginning end; nothing before that is taken.
  init(_ reader: inout ByteReader, after start: Int64) {
    size = reader.size
    audioEnd = reader.size
    for _ in 0..<8 {
      guard let length = Self.tagLength(&reader, endingAt: audioEnd), length > 0,
        length <= audioEnd - start
      else { return }
      audioEnd -= length
    }
  }

  private static func tagLength(_ reader: inout ByteReader, endingAt end: Int64) -> Int64? {
    // One look back over the longest of the fixed parts keeps the reads few.
    _ = reader.prefix(at: max(0, end - 512), upTo: 512)
    if end >= 128, reader.matches("TAG".utf8, at: end - 128) { return 128 }
    if end >= 32, reader.matches("APETAGEX".utf8, at: end - 32),
      let size = reader.littleEndian(at: end - 20, count: 4),
      let flags = reader.littleEndian(at: end - 12, count: 4)
    {
      // The size counts the footer and not the header.
      return Int64(size) + (flags & 0x8000_0000 != 0 ? 32 : 0)
    }
    if end >= 15, reader.matches("LYRICS200".utf8, at: end - 9),
      let digits = reader.bytes(at: end - 15, count: 6),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    {
      return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } + 15
    }
    if end >= 10, reader.matches("3DI".utf8, at: end - 10),
      let bytes = reader.bytes(at: end - 4, count: 4), bytes.allSatisfy({ $0 < 0x80 })
    {
      return bytes.reduce(0) { $0 << 7 | Int64($1) } + 20
    }
    return nil
  }
}
