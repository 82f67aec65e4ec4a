import AttachmentModel

/// The fields of an MPEG audio or ADTS frame header that tell streams apart.
///
/// Sources: ISO/IEC 11172-3, 2.4.1.3 (bit rates and lengths); ISO/IEC 13818-7, 6.2 (ADTS).
struct FrameHeader {
  /// 1 to 3, or 0 for ADTS.
  var layer: Int
  /// What must be the same in every frame.
  var constants: UInt64
  /// The whole frame in bytes.
  var length: Int

  private static let sampleRates = [44_100, 48_000, 32_000]
  private static let bitRates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  init?(_ header: UInt64, next fifth: UInt8?, _ sixth: UInt8?) {
    guard header >> 21 == 0x7FF else { return nil }
    if header >> 20 & 0xF == 0xF, header >> 17 & 3 == 0 {
      // Frame length: 13 bits across bytes 3 to 5.
      guard let fifth, let sixth, header >> 10 & 0xF < 13 else { return nil }
      layer = 0
      length = Int(header & 3) << 11 | Int(fifth) << 3 | Int(sixth) >> 5
      constants = header & 0xFFFF_FDC0 & ~(1 << 16)
      guard length > 7 else { return nil }
      return
    }
    let version = Int(header >> 19 & 3)
    let layerBits = Int(header >> 17 & 3)
    let rate = Int(header >> 12 & 0xF)
    let sampling = Int(header >> 10 & 3)
    guard version != 1, layerBits != 0, rate != 0, rate != 15, sampling != 3 else { return nil }
    layer = 4 - layerBits
    let row = version == 3 ? layer - 1 : layer == 1 ? 3 : 4
    let bitsPerSecond = Self.bitRates[row][rate] * 1_000
    let halvings = version == 3 ? 0 : version == 2 ? 1 : 2
    let samplesPerSecond = Self.sampleRates[sampling] >> halvings
    let padding = Int(header >> 9 & 1)
    if layer == 1 {
      length = (12 * bitsPerSecond / samplesPerSecond + padding) * 4
    } else {
      let samplesInEighths = layer == 3 && version != 3 ? 72 : 144
      length = samplesInEighths * bitsPerSecond / samplesPerSecond + padding
    }
    constants = header & 0xFFFE_0C00
  }

  func isSameStream(as other: FrameHeader) -> Bool {
    layer == other.layer && constants == other.constants
  }

  func signature(settles: Bool) -> Signature {
    switch layer {
    case 0:
      Signature(
        format: .aacADTS,
        name: "an ADTS stream of AAC sound",
        family: .adts,
        settles: settles
      )
    case 3:
      Signature(format: .mp3, name: "an MP3 file", family: .mpegAudio, settles: settles)
    default:
      Signature(
        format: .other,
        name: "MPEG audio of layer \(layer == 1 ? "I" : "II")",
        family: .mpegAudio,
        settles: settles,
        kind: .audio
      )
    }
  }
}
