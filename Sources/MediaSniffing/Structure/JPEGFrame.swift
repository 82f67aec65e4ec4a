/// The frame header of a JPEG picture and what follows from it.
///
/// Source: ITU-T T.81, B.2.2.
struct JPEGFrame {
  struct Component {
    var identifier: UInt8
    var horizontal: Int
    var vertical: Int
    var quantization: Int
  }

  /// The low byte of the SOF marker.
  var marker: UInt8
  var precision: Int
  var width: Int
  var height: Int
  var components: [Component]

  /// Reads a frame header, or says what contradicts in it.
  static func read(marker: UInt8, _ body: ArraySlice<UInt8>) -> Result<JPEGFrame, Contradiction> {
    let bytes = Array(body)
    guard bytes.count >= 6 else { return .failure("its length is \(bytes.count + 2)") }
    let count = Int(bytes[5])
    guard count > 0 else { return .failure("it has no components") }
    guard bytes.count >= 6 + 3 * count else {
      return .failure("it is too short for \(count) components")
    }
    var frame = JPEGFrame(
      marker: marker,
      precision: Int(bytes[0]),
      width: Int(bytes[3]) << 8 | Int(bytes[4]),
      height: Int(bytes[1]) << 8 | Int(bytes[2]),
      components: []
    )
    for index in 0..<count {
      let at = 6 + 3 * index
      let component = Component(
        identifier: bytes[at],
        horizontal: Int(bytes[at + 1] >> 4),
        vertical: Int(bytes[at + 1] & 15),
        quantization: Int(bytes[at + 2])
      )
      guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical) else {
        return .failure(
          "component \(index + 1) is sampled \(component.horizontal) by \(component.vertical)"
        )
      }
      frame.components.append(component)
    }
    return .success(frame)
  }

  struct Contradiction: Error, ExpressibleByStringInterpolation {
    var text: String
    init(stringLiteral value: String) { text = value }
  }

  /// Why decoders in use refuse this kind of frame, or nothing.
  var unsupported: String? {
    switch marker {
    case 0xC0, 0xC1, 0xC2:
      precision == 8 ? nil : "\(precision)-bit samples"
    case 0xC3: "lossless coding (SOF3)"
    case 0xC5, 0xC6, 0xC7: "hierarchical coding (SOF\(marker - 0xC0))"
    case 0xC9, 0xCA: "arithmetic coding (SOF\(marker - 0xC0))"
    case 0xF7: "JPEG-LS coding (SOF55)"
    default: "lossless or hierarchical arithmetic coding (SOF\(marker - 0xC0))"
    }
  }

  var isProgressive: Bool { marker == 0xC2 }

  /// How many 8 by 8 blocks the scans of these components hold.
  ///
  /// One component alone is coded without the padding to whole units that several share (A.2).
  func blocks(of indices: [Int]) -> Int64 {
    let widest = components.map(\.horizontal).max() ?? 1
    let tallest = components.map(\.vertical).max() ?? 1
    if indices.count == 1, let only = indices.first {
      let component = components[only]
      let across = Self.ceil(Self.ceil(width * component.horizontal, by: widest), by: 8)
      let down = Self.ceil(Self.ceil(height * component.vertical, by: tallest), by: 8)
      return Int64(across) * Int64(down)
    }
    let units =
      Int64(Self.ceil(width, by: 8 * widest)) * Int64(Self.ceil(height, by: 8 * tallest))
    return indices.reduce(0) {
      $0 + units * Int64(components[$1].horizontal * components[$1].vertical)
    }
  }

  private static func ceil(_ value: Int, by divisor: Int) -> Int {
    (value + divisor - 1) / divisor
  }
}
