/// One pass over the blocks of a GIF file.
struct GIFWalk {
  enum Outcome {
    /// The trailer was reached; the file should end here.
    case whole(end: Int64)
    case truncated(String)
    case corrupt(String)
  }

  private(set) var width: Int?
  private(set) var height: Int?
  private(set) var frames = 0
  private var position: Int64 = 13

  init() {}

  mutating func run(_ reader: inout ByteReader) -> Outcome {
    guard let screen = reader.bytes(at: 6, count: 7).map(Array.init) else {
      return .truncated("ends inside the header")
    }
    width = Int(screen[0]) | Int(screen[1]) << 8
    height = Int(screen[2]) | Int(screen[3]) << 8
    position += Self.paletteSize(screen[4])
    while let introducer = reader.byte(at: position) {
      let start = position
      position += 1
      switch introducer {
      case 0x3B:
        return frames == 0 ? .corrupt("no frame before the trailer") : .whole(end: position)
      case 0x2C:
        if let problem = takeFrame(&reader) { return problem }
      case 0x21:
        position += 1
        guard skipBlocks(&reader) != nil else {
          return .truncated("ends inside the extension at offset \(start)")
        }
      case 0:
        // Some writers end a block twice; viewers pass over it.
        continue
      default:
        return .corrupt("no block at offset \(start), behind \(frames) frames")
      }
    }
    return .truncated("ends at offset \(reader.size) without a trailer")
  }

  private static func paletteSize(_ flags: UInt8) -> Int64 {
    flags & 0x80 == 0 ? 0 : 3 << (Int64(flags & 7) + 1)
  }

  private mutating func takeFrame(_ reader: inout ByteReader) -> Outcome? {
    let start = position - 1
    let number = frames + 1
    guard let descriptor = reader.bytes(at: position, count: 9).map(Array.init) else {
      return .truncated("ends inside the header of frame \(number)")
    }
    let across = Int64(descriptor[4]) | Int64(descriptor[5]) << 8
    let down = Int64(descriptor[6]) | Int64(descriptor[7]) << 8
    position += 9 + Self.paletteSize(descriptor[8])
    guard let codeSize = reader.byte(at: position) else {
      return .truncated("ends inside frame \(number) at offset \(start)")
    }
    frames = number
    position += 1
    guard across > 0, down > 0 else {
      return .corrupt("frame \(number) at offset \(start) is \(across) by \(down) pixels")
    }
    guard (1...11).contains(codeSize) else {
      return .corrupt("frame \(number) at offset \(start) has codes of \(codeSize) bits")
    }
    guard let bytes = skipBlocks(&reader) else {
      return .truncated("ends inside frame \(number) at offset \(start)")
    }
    // No code stands for more pixels than the table of 4,096 entries is long.
    guard bytes * 8 / (Int64(codeSize) + 1) * 4_096 >= across * down else {
      return .corrupt(
        "frame \(number) at offset \(start) has \(bytes) bytes for \(across) by \(down) pixels"
      )
    }
    if width == 0 { width = Int(across) }
    if height == 0 { height = Int(down) }
    return nil
  }

  /// Goes past sub-blocks and their terminator, and tells how many bytes they held.
  private mutating func skipBlocks(_ reader: inout ByteReader) -> Int64? {
    var bytes: Int64 = 0
    while let length = reader.byte(at: position) {
      position += 1 + Int64(length)
      if length == 0 { return bytes }
      bytes += Int64(length)
    }
    return nil
  }
}
