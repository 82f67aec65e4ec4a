/// The IHDR chunk of a PNG file.
///
/// Source: ISO/IEC 15948, 11.2.2.
struct PNGHeader {
  let width: Int
  let height: Int
  private let depth: UInt8
  private let colour: UInt8
  private let compression: UInt8
  private let filter: UInt8
  private let interlace: UInt8

  /// A header from the chunk's 13 bytes.
  init(_ body: [UInt8]) {
    width = body[0..<4].reduce(0) { $0 << 8 | Int($1) }
    height = body[4..<8].reduce(0) { $0 << 8 | Int($1) }
    depth = body[8]
    colour = body[9]
    compression = body[10]
    filter = body[11]
    interlace = body[12]
  }

  var needsPalette: Bool { colour == 3 }

  /// What contradicts in the header, or nothing.
  var contradiction: String? {
    if width == 0 || height == 0 || width > Int32.max || height > Int32.max {
      return "the picture is \(width) by \(height) pixels"
    }
    let depths: [UInt8] =
      switch colour {
      case 0: [1, 2, 4, 8, 16]
      case 3: [1, 2, 4, 8]
      case 2, 4, 6: [8, 16]
      default: []
      }
    if !depths.contains(depth) { return "colour type \(colour) with \(depth) bits a sample" }
    if compression != 0 || filter != 0 || interlace > 1 {
      return "compression \(compression), filter \(filter), interlacing \(interlace)"
    }
    return nil
  }

  /// The size of the unpacked data at least: interlacing only adds to it.
  var leastRawBytes: Int64 {
    let samples: Int64 =
      switch colour {
      case 2: 3
      case 4: 2
      case 6: 4
      default: 1
      }
    let row = (Int64(width) * samples * Int64(depth) + 7) / 8
    let (bytes, overflow) = Int64(height).multipliedReportingOverflow(by: row)
    return overflow ? .max : bytes
  }
}
