/// The header of an AAC frame in an audio data transport stream.
///
/// Source: ISO/IEC 14496-3, 1.A.2.2 (tables 1.A.6 to 1.A.9).
struct ADTSHeader: AudioFrameHeader {
  let length: Int64
  let samples: Int64
  let sampleRate: Int64
  /// Version, profile, sampling rate and channels: what stays the same in a stream.
  private let constants: UInt64

  /// Samples a second by their index.
  private static let sampleRates: [Int64] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  init?(_ reader: inout ByteReader, at offset: Int64) {
    guard let bits = reader.bigEndian(at: offset, count: 7) else { return nil }
    let rateIndex = Int(bits >> 34 & 0xF)
    // Twelve sync bits, and a layer that is always 0.
    guard bits >> 44 == 0xFFF, bits >> 41 & 3 == 0, rateIndex < Self.sampleRates.count else {
      return nil
    }
    let headerLength: Int64 = bits >> 40 & 1 == 1 ? 7 : 9
    length = Int64(bits >> 13 & 0x1FFF)
    guard length > headerLength else { return nil }
    samples = 1_024 * Int64((bits & 3) + 1)
    sampleRate = Self.sampleRates[rateIndex]
    // Everything up to the channels but the private bit.
    constants = bits >> 30 & 0x3FF_FFF7
  }

  func continues(_ other: ADTSHeader) -> Bool {
    constants == other.constants
  }
}
