/// The header of a frame in a stream of self-contained audio frames.
protocol AudioFrameHeader {
  /// The header at an offset, or nothing where there is none.
  init?(_ reader: inout ByteReader, at offset: Int64)
  /// The whole frame's size in bytes, header included.
  var length: Int64 { get }
  /// How many samples a channel the frame decodes to.
  var samples: Int64 { get }
  /// Samples a second.
  var sampleRate: Int64 { get }
  /// Whether a frame of the same stream can have this header.
  func continues(_ other: Self) -> Bool
}

/// The header of an MPEG-1, MPEG-2 or MPEG-2.5 audio frame, layer I, II or III.
///
/// Source: ISO/IEC 11172-3, 2.4.1.3 and 2.4.2.3; ISO/IEC 13818-3 for the lower sampling rates.
struct MPEGAudioHeader: AudioFrameHeader {
  /// The generation of the standard, in the header's own code.
  enum Version: UInt32 {
    case mpeg25 = 0
    case mpeg2 = 2
    case mpeg1 = 3
  }

  let version: Version
  /// 1, 2 or 3.
  let layer: Int
  let sampleRate: Int64
  let isMono: Bool
  let hasChecksum: Bool
  /// Nothing in a free-format stream, where the header does not say.
  let bitrate: Int64?
  private let padding: Int64

  /// Reads a header; nothing for free format, whose frames have no size of their own.
  init?(_ reader: inout ByteReader, at offset: Int64) {
    guard let bits = reader.bigEndian(at: offset, count: 4),
      let header = MPEGAudioHeader(bits: UInt32(bits)), header.bitrate != nil
    else { return nil }
    self = header
  }

  /// Takes a header's 32 bits apart; nothing where a field has a reserved value.
  init?(bits: UInt32) {
    guard bits >> 21 == 0x7FF, let version = Version(rawValue: bits >> 19 & 3) else { return nil }
    let layerBits = Int(bits >> 17 & 3)
    let bitrateIndex = Int(bits >> 12 & 0xF)
    let rateIndex = Int(bits >> 10 & 3)
    guard layerBits != 0, bitrateIndex != 15, rateIndex != 3 else { return nil }
    self.version = version
    layer = 4 - layerBits
    hasChecksum = bits >> 16 & 1 == 0
    padding = Int64(bits >> 9 & 1)
    isMono = bits >> 6 & 3 == 3
    let divisor: Int64 = version == .mpeg1 ? 1 : version == .mpeg2 ? 2 : 4
    sampleRate = [44_100, 48_000, 32_000][rateIndex] / divisor
    let kilobits = Self.kilobits(layer: layer, isFirst: version == .mpeg1)[bitrateIndex]
    bitrate = bitrateIndex == 0 ? nil : kilobits * 1_000
  }

  /// The bitrates by their index; index 0 is free format.
  private static func kilobits(layer: Int, isFirst: Bool) -> [Int64] {
    switch (isFirst, layer) {
    case (true, 1): [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (true, 2): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (true, _): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (false, 1): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    case (false, _): [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }

  var samples: Int64 {
    switch layer {
    case 1: 384
    case 2: 1_152
    default: version == .mpeg1 ? 1_152 : 576
    }
  }

  var length: Int64 {
    let bitrate = bitrate ?? 0
    return layer == 1
      ? (12 * bitrate / sampleRate + padding) * 4
      : samples / 8 * bitrate / sampleRate + padding
  }

  func continues(_ other: MPEGAudioHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate
  }
}
