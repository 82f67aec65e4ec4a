/// Makes small files of chunks: WAVE, AIFF and AVI.
enum ChunkBuilder {
  static func little(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Octets.text(name) + Octets.little(UInt64(content.count)) + content
      + Octets.zeros(content.count % 2)
  }

  static func big(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Octets.text(name) + Octets.big(UInt64(content.count)) + content
      + Octets.zeros(content.count % 2)
  }

  /// A format chunk's content: stereo at 44.1 kHz.
  static func waveFormat(tag: UInt64 = 1, bits: UInt64 = 16) -> [UInt8] {
    let frame = bits / 4
    return Octets.little(tag, 2) + Octets.little(2, 2) + Octets.little(44_100)
      + Octets.little(44_100 * frame) + Octets.little(frame, 2) + Octets.little(bits, 2)
  }

  /// A hundredth of a second of sound.
  static func wav(tag: UInt64 = 1, bits: UInt64 = 16) -> [UInt8] {
    let data = Octets.noise(Int(441 * bits / 4))
    return little(
      "RIFF",
      Octets.text("WAVE") + little("fmt ", waveFormat(tag: tag, bits: bits))
        + little("data", data)
    )
  }

  /// A hundredth of a second of sound with 64-bit sizes.
  static func rf64() -> [UInt8] {
    let sizes = Octets.little(0, 8) + Octets.little(1_764, 8) + Octets.zeros(12)
    return Octets.text("RF64") + Octets.little(0xFFFF_FFFF) + Octets.text("WAVE")
      + little("ds64", sizes) + little("fmt ", waveFormat())
      + Octets.text("data") + Octets.little(0xFFFF_FFFF) + Octets.noise(1_764)
  }

  /// A hundredth of a second of sound.
  static func aiff(compression: String? = nil) -> [UInt8] {
    let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44] + Octets.zeros(6)
    let format =
      Octets.big(2, 2) + Octets.big(441) + Octets.big(16, 2) + rate
      + (compression.map { Octets.text($0) + [0, 0] } ?? [])
    return big(
      "FORM",
      Octets.text(compression == nil ? "AIFF" : "AIFC") + big("COMM", format)
        + big("SSND", Octets.zeros(8) + Octets.noise(1_764))
    )
  }

  /// Five frames of video and some sound.
  static func avi(codec: String = "XVID") -> [UInt8] {
    let header =
      Octets.text("vids") + Octets.text(codec) + Octets.zeros(12) + Octets.little(1)
      + Octets.little(25) + Octets.zeros(4) + Octets.little(5) + Octets.zeros(20)
    let picture =
      Octets.little(40) + Octets.little(64) + Octets.little(48) + Octets.zeros(4)
      + Octets.text(codec) + Octets.zeros(20)
    let video = little("strh", header) + little("strf", picture)
    let sound =
      little("strh", Octets.text("auds") + Octets.zeros(52))
      + little("strf", waveFormat(tag: 0x55, bits: 0))
    func list(_ name: String, _ content: [UInt8]) -> [UInt8] {
      little("LIST", Octets.text(name) + content)
    }
    let headers =
      little("avih", Octets.zeros(56)) + list("strl", video) + list("strl", sound)
    let movie = (0..<5).flatMap { _ in little("00dc", Octets.noise(40)) }
    return little("RIFF", Octets.text("AVI ") + list("hdrl", headers) + list("movi", movie))
  }
}
