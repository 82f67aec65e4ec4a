/// Makes streams of MPEG audio and ADTS frames, and the tags around them.
enum AudioFrameBuilder {
  /// The size of one frame of MPEG-1 layer III at 128 kbit/s and 44.1 kHz.
  static let mp3FrameSize = 417

  /// MP3 frames; the first holds a Xing header where a number of frames is promised.
  static func mp3(frames: Int, promise: UInt64? = nil) -> [UInt8] {
    var bytes = (0..<frames).flatMap { _ in mp3Frame() }
    if let promise {
      let header = Octets.text("Xing") + Octets.big(1) + Octets.big(promise)
      bytes.replaceSubrange(36..<36 + header.count, with: header)
    }
    return bytes
  }

  /// MP3 frames whose first one holds a VBRI header.
  static func vbri(frames: Int, promise: UInt64) -> [UInt8] {
    var bytes = mp3(frames: frames)
    let header =
      Octets.text("VBRI") + Octets.zeros(6) + Octets.big(promise * 400) + Octets.big(promise)
    bytes.replaceSubrange(36..<36 + header.count, with: header)
    return bytes
  }

  /// MP3 frames whose first one promises a number of bytes and no number of frames.
  static func mp3(frames: Int, promisedBytes: UInt64) -> [UInt8] {
    var bytes = mp3(frames: frames)
    let header = Octets.text("Info") + Octets.big(2) + Octets.big(promisedBytes)
    bytes.replaceSubrange(36..<36 + header.count, with: header)
    return bytes
  }

  private static func mp3Frame() -> [UInt8] {
    [0xFF, 0xFB, 0x90, 0x00] + Octets.zeros(mp3FrameSize - 4)
  }

  /// Frames of layer I at 32 kbit/s and 32 kHz (48 bytes), or II at 64 kbit/s and 48 kHz (192).
  static func lower(layer: Int, frames: Int) -> [UInt8] {
    let frame =
      layer == 1
      ? [0xFF, 0xFF, 0x18, 0x00] + Octets.zeros(44)
      : [0xFF, 0xFD, 0x44, 0x00] + Octets.zeros(188)
    return (0..<frames).flatMap { _ in frame }
  }

  /// ADTS frames of 100 bytes at 44.1 kHz.
  static func adts(frames: Int) -> [UInt8] {
    let frame = [0xFF, 0xF1, 0x50, 0x80, 0x0C, 0x9F, 0xFC] + Octets.zeros(93)
    return (0..<frames).flatMap { _ in frame }
  }

  /// An ID3v2 tag around frames.
  static func id3(version: UInt8 = 4, flags: UInt8 = 0, _ frames: [UInt8]) -> [UInt8] {
    let size = UInt64(frames.count)
    let syncsafe = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0 & 0x7F) }
    return Octets.text("ID3") + [version, 0, flags] + syncsafe + frames
  }

  /// A picture frame, for ID3v2.3 and below 128 bytes for 2.4.
  static func picture(_ art: [UInt8], type: UInt8 = 3, flags: UInt8 = 0) -> [UInt8] {
    let content = [0] + Octets.text("image/png") + [0, type, 0] + art
    return Octets.text("APIC") + Octets.big(UInt64(content.count)) + [0, flags] + content
  }

  /// A picture frame of ID3v2.2.
  static func oldPicture(_ art: [UInt8]) -> [UInt8] {
    let content = [0] + Octets.text("PNG") + [3, 0] + art
    return Octets.text("PIC") + Octets.big(UInt64(content.count), 3) + content
  }

  /// An ID3v1 tag.
  static var id3v1: [UInt8] {
    Octets.text("TAG") + Octets.zeros(125)
  }

  /// An APEv2 tag of header and footer.
  static var ape: [UInt8] {
    func edge(_ flags: UInt64) -> [UInt8] {
      Octets.text("APETAGEX") + Octets.little(2_000) + Octets.little(32) + Octets.zeros(4)
        + Octets.little(flags) + Octets.zeros(8)
    }
    return edge(0xA000_0000) + edge(0x8000_0000)
  }

  /// A Lyrics3 tag.
  static var lyrics: [UInt8] {
    Octets.text("LYRICSBEGININD0000200") + Octets.text("000021LYRICS200")
  }
}
