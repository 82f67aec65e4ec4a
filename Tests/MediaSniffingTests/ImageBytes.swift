import AttachmentModel
import MediaSniffing

/// Inspects bytes as if they were a file.
func inspect(_ bytes: [UInt8]) throws -> MediaInspection {
  try MediaInspector().inspect(ByteReader(bytes))
}

/// The kinds of findings, in order.
func kinds(_ bytes: [UInt8]) throws -> [StructureFinding.Kind] {
  try inspect(bytes).findings.map(\.kind)
}

func big(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

func little(_ value: Int, _ count: Int) -> [UInt8] {
  big(value, count).reversed()
}

extension [UInt8] {
  static func + (left: [UInt8], right: String) -> [UInt8] { left + Array(right.utf8) }

  func flipped(bit: UInt8 = 0, at index: Int) -> [UInt8] {
    var copy = self
    copy[index] ^= 1 << bit
    return copy
  }

  func firstIndex(of text: String) -> Int? {
    indices.first { self[$0...].starts(with: text.utf8) }
  }
}

/// JPEG files of one or three components, built segment by segment.
enum JPEGBytes {
  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(body.count + 2, 2) + body
  }

  static let start: [UInt8] = [0xFF, 0xD8]
  static let end: [UInt8] = [0xFF, 0xD9]
  static let identity = segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
  static let quantization = segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
  static let huffman =
    huffmanTable(0, lengths: [1: 1, 2: 1]) + huffmanTable(0x10, lengths: [1: 1, 2: 1])
  static let entropy: [UInt8] = [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56, 0x78]

  static func huffmanTable(_ identifier: UInt8, lengths: [Int: UInt8]) -> [UInt8] {
    let counts = (1...16).map { lengths[$0] ?? 0 }
    let symbols = [UInt8](repeating: 1, count: counts.reduce(0) { $0 + Int($1) })
    return segment(0xC4, [identifier] + counts + symbols)
  }

  static func frame(
    _ marker: UInt8 = 0xC0,
    width: Int = 16,
    height: Int = 8,
    precision: UInt8 = 8,
    components: [UInt8] = [1]
  ) -> [UInt8] {
    segment(
      marker,
      [precision] + big(height, 2) + big(width, 2) + [UInt8(components.count)]
        + components.flatMap { [$0, 0x11, 0] }
    )
  }

  static func scan(components: [UInt8] = [1], _ parameters: [UInt8] = [0, 63, 0]) -> [UInt8] {
    segment(0xDA, [UInt8(components.count)] + components.flatMap { [$0, 0] } + parameters)
  }

  static let head = start + identity + quantization + huffman
  static let whole = head + frame() + scan() + entropy + end

  /// An APP1 segment with the given entries of the first directory, a short each.
  static func exif(_ entries: [(tag: Int, type: Int, value: Int)], isLittle: Bool = true) -> [UInt8]
  {
    let number = isLittle ? little : big
    var tiff = (isLittle ? [0x49, 0x49] : [0x4D, 0x4D]) as [UInt8] + number(42, 2) + number(8, 4)
    tiff += number(entries.count, 2)
    for entry in entries {
      tiff += number(entry.tag, 2) + number(entry.type, 2) + number(1, 4)
      tiff += entry.type == 3 ? number(entry.value, 2) + [0, 0] : number(entry.value, 4)
    }
    // No further directory; a GPS directory with one latitude stands right behind it.
    tiff += number(0, 4) + number(1, 2) + number(2, 2) + number(5, 2) + number(3, 4) + number(0, 4)
    return segment(0xE1, Array("Exif\0\0".utf8) + tiff)
  }
}

/// PNG files, chunk by chunk.
enum PNGBytes {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func chunk(_ type: String, _ body: [UInt8] = []) -> [UInt8] {
    let content = Array(type.utf8) + body
    return big(body.count, 4) + content + big(Int(sum(content)), 4)
  }

  static func sum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }

  static func header(
    width: Int = 3,
    height: Int = 2,
    depth: UInt8 = 8,
    colour: UInt8 = 0
  ) -> [UInt8] {
    chunk("IHDR", big(width, 4) + big(height, 4) + [depth, colour, 0, 0, 0])
  }

  static let data = chunk(
    "IDAT",
    [0x78, 0x9C, 0x63, 0x60, 0x80, 0x02, 0x06, 0x46, 0x26, 0, 0, 0x14, 0, 4]
  )
  static let end = chunk("IEND")
  static let whole = signature + header() + data + end

  static func control(_ sequence: Int, width: Int = 3, height: Int = 2, left: Int = 0) -> [UInt8] {
    chunk(
      "fcTL",
      big(sequence, 4) + big(width, 4) + big(height, 4) + big(left, 4) + big(0, 4)
        + big(1, 2) + big(10, 2) + [0, 0]
    )
  }

  static func animation(frames: Int = 2, second: Int = 1, data third: Int = 2) -> [UInt8] {
    signature + header() + chunk("acTL", big(frames, 4) + big(0, 4)) + control(0) + data
      + control(second) + chunk("fdAT", big(third, 4) + [0x78, 0x9C, 1, 2, 3]) + end
  }
}

/// GIF files, block by block.
enum GIFBytes {
  static func screen(width: Int = 4, height: Int = 4) -> [UInt8] {
    Array("GIF89a".utf8) + little(width, 2) + little(height, 2)
      + [0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
  }

  static func frame(width: Int = 4, height: Int = 4, codeSize: UInt8 = 2) -> [UInt8] {
    [0x2C, 0, 0, 0, 0] + little(width, 2) + little(height, 2) + [0, codeSize]
      + [4, 0x84, 0x8F, 0x09, 0x05, 0]
  }

  static let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
  static let whole = screen() + control + frame() + [0x3B]
}

/// A box of an ISO container.
func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
  big(body.count + 8, 4) + Array(type.utf8) + body
}

/// A chunk of a RIFF container, padded.
func riffChunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
  Array(type.utf8) + little(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
}

func riff(_ form: String, _ body: [UInt8]) -> [UInt8] {
  Array("RIFF".utf8) + little(body.count + 4, 4) + Array(form.utf8) + body
}
