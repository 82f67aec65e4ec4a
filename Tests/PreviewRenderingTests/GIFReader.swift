/// Reads off a GIF's blocks what tests look at.
struct GIFReader {
  /// Each frame's time in hundredths of a second.
  private(set) var hundredths: [Int] = []
  /// As the Netscape extension counts; nothing where there is none.
  private(set) var repetitions: Int?
  /// Whether there is a comment.
  private(set) var hasComment = false

  /// Walks to the trailer, or to the first byte that is out of place.
  init(_ bytes: [UInt8]) {
    guard bytes.count > 13 else { return }
    var place = 13 + Self.paletteSize(bytes[10])
    func blocks(from start: Int) -> (data: [UInt8], end: Int) {
      var data: [UInt8] = []
      var place = start
      while place < bytes.count, bytes[place] > 0 {
        data += bytes[(place + 1)..<min(bytes.count, place + 1 + Int(bytes[place]))]
        place += 1 + Int(bytes[place])
      }
      return (data, place + 1)
    }
    while place + 10 < bytes.count {
      switch bytes[place] {
      case 0x21:
        let (data, end) = blocks(from: place + 2)
        switch bytes[place + 1] {
        case 0xF9 where data.count >= 4: hundredths.append(Int(data[1]) | Int(data[2]) << 8)
        case 0xFE: hasComment = true
        case 0xFF where data.count >= 14: repetitions = Int(data[12]) | Int(data[13]) << 8
        default: break
        }
        place = end
      case 0x2C:
        place = blocks(from: place + 11 + Self.paletteSize(bytes[place + 9])).end
      default:
        return
      }
    }
  }

  private static func paletteSize(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }
}
