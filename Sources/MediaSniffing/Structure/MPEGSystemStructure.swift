package import AttachmentModel

/// The structure of an MPEG program stream or video elementary stream.
///
/// Source: ISO/IEC 11172-1, 2.4 and 11172-2, 2.4; ISO/IEC 13818-1, 2.5 and 13818-2, 6.2.
package enum MPEGSystemStructure {
  private static let pack: UInt8 = 0xBA
  private static let programEnd: UInt8 = 0xB9
  private static let sequence: UInt8 = 0xB3

  /// Inspects a file that begins with a pack or sequence header.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, size, codecs and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .mpeg
    inspection.kind = .movie
    inspection.contentName = nil
    if reader.matches([0, 0, 1, sequence], at: 0) {
      readSequence(&reader, within: 0..<reader.size, &inspection)
      noteCutSequence(reader.size, &inspection)
    } else {
      walkPacks(&reader, &inspection)
    }
  }

  /// Goes from packet to packet; each but a pack header tells its length.
  private static func walkPacks(
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    var offset: Int64 = 0
    var hasEnd = false
    while let code = reader.bigEndian(at: offset, count: 4) {
      guard code >> 8 == 1 else {
        // Padding between packs is zeros; anything else is damage.
        guard let next = nextStartCode(&reader, from: offset) else { break }
        offset = next
        continue
      }
      let id = UInt8(truncatingIfNeeded: code)
      var length: Int64 = 4
      switch id {
      case programEnd: hasEnd = true
      case pack: length = packSize(&reader, at: offset)
      case 0xBB...0xFF:
        guard let size = reader.bigEndian(at: offset + 4, count: 2) else {
          noteMissing(6 - (reader.size - offset), at: offset, &inspection)
          return
        }
        length = 6 + Int64(size)
        readPacket(id, offset..<offset + length, &reader, &inspection)
      default:
        inspection.findings.append(
          .init(.corrupt, "start code \(id) at byte \(offset) has no place between packets")
        )
        return
      }
      offset += length
    }
    if offset > reader.size {
      noteMissing(offset - reader.size, at: offset, &inspection)
    } else if !hasEnd, offset < reader.size, reader.size - offset < 4 {
      noteMissing(4 - (reader.size - offset), at: offset, &inspection)
    }
    if inspection.videoCodec == nil, inspection.audioCodec == nil, !inspection.has(.truncated) {
      inspection.findings.append(.init(.noMedia, "no video or audio packet"))
    }
    if inspection.videoCodec == nil, inspection.audioCodec != nil { inspection.kind = .audio }
  }

  private static func packSize(_ reader: inout ByteReader, at offset: Int64) -> Int64 {
    guard let marker = reader.byte(at: offset + 4) else { return 12 }
    guard marker >> 6 == 1 else { return 12 }
    return 14 + Int64((reader.byte(at: offset + 13) ?? 0) & 7)
  }

  private static func noteMissing(
    _ count: Int64,
    at offset: Int64,
    _ inspection: inout MediaInspection
  ) {
    inspection.findings.append(
      .init(.truncated, "the last packet lacks \(ByteCount(count).exactly), before byte \(offset)")
    )
  }

  /// Looks for 00 00 01 within 64 KiB; a stream without it is no stream any more.
  private static func nextStartCode(_ reader: inout ByteReader, from start: Int64) -> Int64? {
    let part = reader.prefix(at: start, upTo: 65_536)
    var zeros = 0
    for (index, byte) in part.enumerated() {
      if byte == 1, zeros >= 2 { return start + Int64(index) - 2 }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return nil
  }

  private static func readPacket(
    _ id: UInt8,
    _ range: Range<Int64>,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    switch id {
    // A sequence header takes twelve bytes, behind the six of the packet.
    case 0xE0...0xEF where inspection.videoCodec == nil && range.count >= 18:
      readSequence(&reader, within: range, &inspection)
    case 0xC0...0xDF where inspection.audioCodec == nil:
      // Packet headers are at most a few dozen bytes, and a frame begins behind them.
      for offset in range.lowerBound + 6..<min(range.lowerBound + 64, range.upperBound) {
        if let header = MPEGAudioHeader(&reader, at: offset) {
          inspection.audioCodec = "mp\(header.layer)"
          break
        }
      }
    // AC-3, DTS and PCM of discs.
    case 0xBD where inspection.audioCodec == nil: inspection.audioCodec = "private"
    default: break
    }
  }

  /// Reads dimensions from the sequence header at or soon behind the beginning of a range.
  private static func readSequence(
    _ reader: inout ByteReader,
    within range: Range<Int64>,
    _ inspection: inout MediaInspection
  ) {
    let limit = Int(min(range.upperBound - range.lowerBound, 4_096))
    let part = Array(reader.prefix(at: range.lowerBound, upTo: limit))
    guard let start = index(of: sequence, in: part, from: 0), start + 8 <= part.count else {
      return
    }
    inspection.width = Int(part[start + 4]) << 4 | Int(part[start + 5] >> 4)
    inspection.height = Int(part[start + 5] & 0xF) << 8 | Int(part[start + 6])
    // MPEG-2 sequences have an extension right behind their header.
    inspection.videoCodec =
      index(of: 0xB5, in: part, from: start + 8) == nil ? "mpeg1video" : "mpeg2video"
  }

  private static func index(of code: UInt8, in part: [UInt8], from start: Int) -> Int? {
    guard start + 4 <= part.count else { return nil }
    return (start...part.count - 4).first {
      part[$0] == 0 && part[$0 + 1] == 0 && part[$0 + 2] == 1 && part[$0 + 3] == code
    }
  }

  private static func noteCutSequence(_ size: Int64, _ inspection: inout MediaInspection) {
    if inspection.videoCodec == nil {
      inspection.findings.append(.init(.truncated, "\(size) bytes hold no whole sequence header"))
    }
  }
}
