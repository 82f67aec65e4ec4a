/// Makes small files of packets, pages and elements.
enum StreamBuilder {
  /// A pack, a video packet with a sequence header, a sound packet, the end code.
  static func program(hasExtension: Bool = false) -> [UInt8] {
    let pack = [0, 0, 1, 0xBA, 0x21] + Octets.zeros(7)
    let sequence: [UInt8] = [0, 0, 1, 0xB3, 0x14, 0x00, 0xF0, 0x13, 0xFF, 0xFF, 0xE0, 0x00]
    let more: [UInt8] = hasExtension ? [0, 0, 1, 0xB5] + Octets.zeros(6) : []
    return pack + packet(0xE0, [0x0F] + sequence + more + Octets.zeros(40)) + pack
      + packet(0xC0, [0x0F, 0xFF, 0xFD, 0x44, 0x00] + Octets.zeros(60)) + [0, 0, 1, 0xB9]
  }

  private static func packet(_ id: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0, 0, 1, id] + Octets.big(UInt64(content.count), 2) + content
  }

  /// Narrow-band frames of 12.2 kbit/s.
  static func amr(frames: Int) -> [UInt8] {
    Octets.text("#!AMR\n") + (0..<frames).flatMap { _ in [0x3C] + Octets.zeros(31) }
  }

  /// Three pages of Opus, one second long.
  static func ogg(isEnded: Bool = true, lastSequence: UInt64 = 2) -> [UInt8] {
    let head = Octets.text("OpusHead") + [1, 2] + Octets.little(312, 2) + Octets.zeros(7)
    return oggPage(head, flags: 2, position: 0, sequence: 0)
      + oggPage(Octets.text("OpusTags") + Octets.zeros(8), flags: 0, position: 0, sequence: 1)
      + oggPage(
        Octets.noise(200),
        flags: isEnded ? 4 : 0,
        position: 48_312,
        sequence: lastSequence
      )
  }

  static func oggPage(
    _ content: [UInt8],
    flags: UInt8,
    position: UInt64,
    sequence: UInt64
  ) -> [UInt8] {
    let head =
      Octets.text("OggS") + [0, flags] + Octets.little(position, 8) + Octets.little(77)
      + Octets.little(sequence)
    let tail = [1, UInt8(content.count)] + content
    let checksum = crc32(head + Octets.zeros(4) + tail)
    return head + Octets.little(checksum) + tail
  }

  /// The remainder bit by bit, as the specification writes it.
  private static func crc32(_ bytes: [UInt8]) -> UInt64 {
    var remainder: UInt32 = 0
    for byte in bytes {
      remainder ^= UInt32(byte) << 24
      for _ in 0..<8 {
        remainder = remainder >> 31 == 1 ? remainder << 1 ^ 0x04C1_1DB7 : remainder << 1
      }
    }
    return UInt64(remainder)
  }

  /// Stream information that does not tell the largest frame, a picture block, and a frame.
  static func flac(art: [UInt8] = [1, 2, 3]) -> [UInt8] {
    let format: UInt64 = 44_100 << 44 | 1 << 41 | 15 << 36 | 44_100
    let stream =
      Octets.big(4_096, 2) + Octets.big(4_096, 2) + Octets.zeros(6) + Octets.big(format, 8)
      + Octets.zeros(16)
    let picture =
      Octets.big(3) + Octets.big(9) + Octets.text("image/png") + Octets.big(0)
      + Octets.zeros(16) + Octets.big(UInt64(art.count)) + art
    return Octets.text("fLaC") + [0] + Octets.big(34, 3) + stream
      + [0x86] + Octets.big(UInt64(picture.count), 3) + picture
      + [0xFF, 0xF8] + Octets.noise(100)
  }

  /// One video and one sound track, and a cluster.
  static func matroska(documentType: String = "webm") -> [UInt8] {
    let header = element(
      [0x1A, 0x45, 0xDF, 0xA3],
      element([0x42, 0x82], Octets.text(documentType))
    )
    let video =
      element([0x83], [1]) + element([0x86], Octets.text("V_VP8"))
      + element([0xE0], element([0xB0], [1, 0x40]) + element([0xBA], [0xF0]))
    let sound = element([0x83], [2]) + element([0x86], Octets.text("A_VORBIS"))
    let information = element(
      [0x15, 0x49, 0xA9, 0x66],
      element([0x44, 0x89], Octets.big(UInt64(Float(1_500).bitPattern)))
    )
    let tracks = element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], video) + element([0xAE], sound))
    let cluster = element([0x1F, 0x43, 0xB6, 0x75], element([0xA3], Octets.noise(60)))
    return header + element([0x18, 0x53, 0x80, 0x67], information + tracks + cluster)
  }

  static func element(_ identifier: [UInt8], _ content: [UInt8]) -> [UInt8] {
    identifier + Octets.big(UInt64(content.count) | 0x4000, 2) + content
  }
}
