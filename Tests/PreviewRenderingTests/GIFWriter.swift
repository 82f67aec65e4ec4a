/// Writes GIFs block by block, so that tests say what is in every frame.
struct GIFWriter {
  /// What becomes of a frame when its time is over (GIF89a, 23.c.iv).
  enum Disposal: UInt8, Sendable, CaseIterable {
    case unspecified
    case keep
    case clear
    case restore
  }

  /// One frame, with a palette of its own.
  struct Frame {
    var left = 0
    var top = 0
    var width: Int
    var height: Int
    /// At most 16 colours.
    var palette: [[UInt8]]
    /// The palette's entry that is not drawn.
    var transparent: UInt8?
    var disposal = Disposal.keep
    var hundredths = 10
    /// The palette's entry at each place.
    var pixel: (_ x: Int, _ y: Int) -> UInt8
  }

  var width: Int
  var height: Int
  /// As the Netscape extension counts: how often it is repeated, 0 for ever; nothing for once.
  var repetitions: Int? = 0
  var comment = ""

  /// The whole file.
  func file(_ frames: [Frame]) -> [UInt8] {
    var bytes = [UInt8]("GIF89a".utf8) + little(width) + little(height) + [0x70, 0, 0]
    if let repetitions {
      bytes += [0x21, 0xFF, 11] + [UInt8]("NETSCAPE2.0".utf8) + [3, 1] + little(repetitions) + [0]
    }
    if !comment.isEmpty {
      bytes += [0x21, 0xFE, UInt8(comment.utf8.count)] + [UInt8](comment.utf8) + [0]
    }
    for frame in frames { bytes += block(of: frame) }
    return bytes + [0x3B]
  }

  private func block(of frame: Frame) -> [UInt8] {
    var bytes: [UInt8] = [0x21, 0xF9, 4]
    bytes.append(frame.disposal.rawValue << 2 | (frame.transparent == nil ? 0 : 1))
    bytes += little(frame.hundredths) + [frame.transparent ?? 0, 0, 0x2C]
    bytes += little(frame.left) + little(frame.top) + little(frame.width) + little(frame.height)
    bytes.append(0x83)
    let black = [[UInt8]](repeating: [0, 0, 0], count: 16 - frame.palette.count)
    bytes += (frame.palette + black).joined()
    var codes: [UInt16] = [16]
    for y in 0..<frame.height {
      for x in 0..<frame.width {
        // A clear code in time keeps every code 5 bits wide.
        if codes.count.isMultiple(of: 14) { codes.append(16) }
        codes.append(UInt16(frame.pixel(x, y)))
      }
    }
    codes.append(17)
    bytes.append(4)
    var data = packed(codes)[...]
    while !data.isEmpty {
      let part = data.prefix(255)
      bytes.append(UInt8(part.count))
      bytes += part
      data = data.dropFirst(255)
    }
    return bytes + [0]
  }

  /// Codes of 5 bits, the lowest bit first.
  private func packed(_ codes: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for code in codes {
      bits |= UInt32(code) << UInt32(count)
      count += 5
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    return count > 0 ? bytes + [UInt8(truncatingIfNeeded: bits)] : bytes
  }

  private func little(_ value: Int) -> [UInt8] {
    [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)]
  }
}
