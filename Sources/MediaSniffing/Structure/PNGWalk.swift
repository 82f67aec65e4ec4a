import AttachmentModel

/// One pass over the chunks of a PNG file.
struct PNGWalk {
  private struct Chunk {
    var type: UInt32
    var body: Int64
    var length: Int64
    var name: String {
      String(
        decoding: (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) },
        as: UTF8.self
      )
    }
    var isCritical: Bool { type & 0x2000_0000 == 0 }
  }

  /// Where the file should end, behind IEND.
  private(set) var end: Int64?

  private var header: PNGHeader?
  private var animation = PNGAnimation()
  private var paletteEntries: Int64 = 0
  private var dataBytes: Int64 = 0
  private var dataChunks = 0
  private var isDataOver = false
  private var problem: String?

  init() {}

  /// Walks to IEND, to the first contradiction, or to the end of the file.
  mutating func run(_ reader: inout ByteReader, into inspection: inout MediaInspection) {
    var position: Int64 = 8
    while end == nil, problem == nil {
      guard let length = reader.bigEndian(at: position, count: 4).map(Int64.init),
        let type = reader.bigEndian(at: position + 4, count: 4).map(UInt32.init)
      else {
        cut("ends at offset \(reader.size) without an IEND chunk", &inspection)
        break
      }
      let chunk = Chunk(type: type, body: position + 8, length: length)
      guard Self.isName(type), length <= Int32.max else {
        problem = "no chunk at offset \(position)"
        break
      }
      if chunk.body + length + 4 > reader.size {
        // The header may be whole in a file that ends inside it.
        cut("ends inside the \(chunk.name) chunk at offset \(position)", &inspection)
        break
      }
      take(chunk, &reader, &inspection)
      position = chunk.body + length + 4
    }
    if problem == nil, end != nil { problem = conclusion }
    if let problem { inspection.findings.append(StructureFinding(.corrupt, problem)) }
    inspection.width = header?.width
    inspection.height = header?.height
    if header != nil { inspection.frames = 1 }
    if let frames = animation.frames {
      inspection.format = .apng
      inspection.contentName = "an animated PNG"
      inspection.frames = frames
    }
  }

  private func cut(_ detail: String, _ inspection: inout MediaInspection) {
    inspection.findings.append(StructureFinding(.truncated, detail))
  }

  private static func isName(_ type: UInt32) -> Bool {
    (0..<4).allSatisfy { (65...90).contains((type >> (8 * $0) & 0xFF) & ~0x20) }
  }

  private mutating func take(
    _ chunk: Chunk,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    if chunk.isCritical, !hasRightSum(chunk, &reader) {
      problem = "the checksum of the \(chunk.name) chunk at offset \(chunk.body - 8) is wrong"
      // A picture's size is worth knowing even so.
    }
    if header == nil, chunk.name != "IHDR" {
      if chunk.name == "CgBI" {
        let variant = StructureFinding(.unsupportedVariant, "Apple's variant of PNG (CgBI)")
        inspection.findings.append(variant)
      } else {
        problem = "\(chunk.name) stands where IHDR should"
      }
      return
    }
    if chunk.name != "IDAT", dataChunks > 0 { isDataOver = true }
    if holdsPackedText(chunk, &reader) { inspection.packedTextSize.bytes += chunk.length }
    switch chunk.name {
    case "IHDR": takeHeader(chunk, &reader)
    case "PLTE":
      paletteEntries = chunk.length / 3
      if chunk.length % 3 != 0 || !(1...256).contains(paletteEntries) {
        problem = "the palette at offset \(chunk.body) has \(chunk.length) bytes"
      }
    case "IDAT": takeData(chunk, &reader)
    case "IEND": end = chunk.body + chunk.length + 4
    case "CgBI": break
    case "acTL", "fcTL", "fdAT":
      takeAnimation(chunk, &reader)
    case "eXIf":
      EmbeddedMetadata.readExif(
        &reader,
        from: chunk.body,
        to: chunk.body + chunk.length,
        into: &inspection
      )
    case "iTXt" where reader.matches("XML:com.adobe.xmp\0".utf8, at: chunk.body):
      EmbeddedMetadata.readXMP(
        &reader,
        from: chunk.body,
        to: chunk.body + chunk.length,
        into: &inspection
      )
    default:
      if chunk.isCritical {
        problem = "the unknown critical chunk \(chunk.name) at offset \(chunk.body - 8)"
      }
    }
  }

  /// Whether a chunk is text that has to be inflated: zTXt, or iTXt whose flag behind the keyword
  /// says so (PNG, sections 11.3.3.3 and 11.3.3.4).
  private func holdsPackedText(_ chunk: Chunk, _ reader: inout ByteReader) -> Bool {
    if chunk.name == "zTXt" { return true }
    guard chunk.name == "iTXt" else { return false }
    let start = reader.prefix(at: chunk.body, upTo: Int(min(chunk.length, 82)))
    guard let nul = start.firstIndex(of: 0), nul + 1 < start.endIndex else { return false }
    return start[nul + 1] == 1
  }

  private func hasRightSum(_ chunk: Chunk, _ reader: inout ByteReader) -> Bool {
    var sum = CRC32()
    var position = chunk.body - 4
    let end = chunk.body + chunk.length
    while position < end {
      let run = reader.run(at: position, upTo: end - position)
      guard !run.isEmpty else { return false }
      sum.update(run)
      position += Int64(run.count)
    }
    return reader.bigEndian(at: end, count: 4) == UInt64(sum.value)
  }

  private mutating func takeHeader(_ chunk: Chunk, _ reader: inout ByteReader) {
    guard header == nil else {
      problem = "a second IHDR chunk at offset \(chunk.body - 8)"
      return
    }
    guard chunk.length == 13, let body = reader.bytes(at: chunk.body, count: 13) else {
      problem = "the IHDR chunk has \(chunk.length) bytes"
      return
    }
    let found = PNGHeader(Array(body))
    header = found
    if problem == nil { problem = found.contradiction }
  }

  private mutating func takeData(_ chunk: Chunk, _ reader: inout ByteReader) {
    if isDataOver {
      problem = "the IDAT chunk at offset \(chunk.body - 8) does not follow another"
    } else if header?.needsPalette ?? false, paletteEntries == 0 {
      problem = "no palette before the picture's data"
    } else if dataBytes == 0, let head = reader.bigEndian(at: chunk.body, count: 2),
      chunk.length >= 2, head >> 8 & 0xF != 8 || head % 31 != 0
    {
      // RFC 1950, 2.2: method 8, and a check that makes the first two bytes divisible by 31.
      problem = "the data at offset \(chunk.body) is no zlib stream"
    }
    dataChunks += 1
    dataBytes += chunk.length
    animation.hasData = true
  }

  private mutating func takeAnimation(_ chunk: Chunk, _ reader: inout ByteReader) {
    let body = reader.prefix(at: chunk.body, upTo: Int(min(chunk.length, 26)))
    if let found = animation.take(chunk.name, FilePrefix(Array(body), isWhole: true), header) {
      problem = "\(found), at offset \(chunk.body - 8)"
    }
  }

  /// What the whole lacks, once IEND was reached.
  private var conclusion: String? {
    guard let header else { return "no IHDR chunk" }
    guard dataBytes > 0 else { return "no picture data (IDAT)" }
    // Deflate makes at most 1,032 bytes of one (RFC 1951: 258 bytes from 2 bits).
    if dataBytes > Int64.max / 1_032 || dataBytes * 1_032 >= header.leastRawBytes {
      return animation.conclusion
    }
    return "\(dataBytes) bytes of data cannot hold \(header.width) by \(header.height) pixels"
  }
}
