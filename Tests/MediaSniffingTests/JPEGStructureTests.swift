import AttachmentModel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JPEGStructureTests {
  typealias JPEG = JPEGBytes

  @Test func `a whole picture has its size and no findings`() throws {
    let found = try inspect(JPEG.whole)
    #expect(found.format == .jpeg)
    #expect(found.width == 16 && found.height == 8 && found.frames == 1)
    #expect(found.findings.isEmpty)
  }

  @Test(arguments: [1, 2, 3, 9]) func `a cut picture is truncated`(missing: Int) throws {
    #expect(try kinds(JPEG.whole.dropLast(missing)) == [.truncated])
  }

  @Test func `a cut segment is truncated`() throws {
    #expect(try kinds(Array(JPEG.whole.prefix(60))) == [.truncated])
  }

  @Test(arguments: [0xC0, 0xC1, 0xC2] as [UInt8])
  func `frames that decoders show are no findings`(marker: UInt8) throws {
    let parameters: [UInt8] = marker == 0xC2 ? [0, 0, 0] : [0, 63, 0]
    let file =
      JPEG.head + JPEG.frame(marker) + JPEG.scan(parameters) + JPEG.entropy + JPEG.end
    #expect(try kinds(file).isEmpty)
  }

  @Test(arguments: [0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF] as [UInt8])
  func `lossless hierarchical and arithmetic frames are variants`(marker: UInt8) throws {
    let file = JPEG.head + JPEG.frame(marker) + JPEG.scan() + JPEG.entropy + JPEG.end
    #expect(try kinds(file) == [.unsupportedVariant])
  }

  @Test func `twelve bits a sample are a variant`() throws {
    let file =
      JPEG.head + JPEG.frame(0xC1, precision: 12) + JPEG.scan() + JPEG.entropy + JPEG.end
    #expect(try kinds(file) == [.unsupportedVariant])
  }

  @Test func `a frame or scan that is missing is corrupt`() throws {
    #expect(try kinds(JPEG.head + JPEG.end) == [.corrupt])
    #expect(try kinds(JPEG.head + JPEG.frame() + JPEG.end) == [.corrupt])
    #expect(try kinds(JPEG.head + JPEG.scan() + JPEG.entropy + JPEG.end) == [.corrupt])
  }

  @Test func `a height of zero needs the lines stated behind the scan`() throws {
    let body = JPEG.head + JPEG.frame(height: 0) + JPEG.scan() + JPEG.entropy
    #expect(try kinds(body + JPEG.end) == [.corrupt])
    let stated = try inspect(body + JPEG.segment(0xDC, big(8, 2)) + JPEG.end)
    #expect(stated.height == 8 && stated.findings.isEmpty)
  }

  @Test func `a width of zero is corrupt`() throws {
    let file = JPEG.head + JPEG.frame(width: 0) + JPEG.scan() + JPEG.entropy + JPEG.end
    #expect(try kinds(file) == [.corrupt])
  }

  @Test func `scans that contradict frame or tables are corrupt`() throws {
    let tail = JPEG.entropy + JPEG.end
    let noTable = JPEG.start + JPEG.huffman + JPEG.frame() + JPEG.scan() + tail
    #expect(try kinds(noTable) == [.corrupt])
    let foreign = JPEG.head + JPEG.frame() + JPEG.scan(components: [7]) + tail
    #expect(try kinds(foreign) == [.corrupt])
    let onlyDirect =
      JPEG.start + JPEG.quantization + JPEG.huffmanTable(0, lengths: [1: 1]) + JPEG.frame()
    #expect(try kinds(onlyDirect + JPEG.scan() + tail) == [.corrupt])
    let band = JPEG.head + JPEG.frame(0xC2) + JPEG.scan([5, 3, 0]) + tail
    #expect(try kinds(band) == [.corrupt])
  }

  @Test func `odd scan parameters of a baseline frame are tolerated`() throws {
    let file = JPEG.head + JPEG.frame() + JPEG.scan([0, 0, 0]) + JPEG.entropy + JPEG.end
    #expect(try kinds(file).isEmpty)
  }

  @Test func `a frame without Huffman tables uses the standard ones`() throws {
    let file =
      JPEG.start + JPEG.quantization + JPEG.frame() + JPEG.scan() + JPEG.entropy + JPEG.end
    #expect(try kinds(file).isEmpty)
  }

  @Test func `a Huffman table with too many codes is corrupt`() throws {
    let table = JPEG.huffmanTable(0, lengths: [1: 2, 2: 1])
    let file =
      JPEG.head + table + JPEG.frame() + JPEG.scan() + JPEG.entropy + JPEG.end
    #expect(try kinds(file) == [.corrupt])
  }

  @Test func `stray and fill bytes between segments are tolerated`() throws {
    let file =
      JPEG.head + [1, 2, 3, 0xFF, 0xFF] + JPEG.frame() + JPEG.scan() + JPEG.entropy
      + [0xFF, 0xFF] + JPEG.end
    #expect(try kinds(file).isEmpty)
  }

  @Test func `a damaged first marker is still named and corrupt`() throws {
    let found = try inspect(JPEG.whole.flipped(at: 2))
    #expect(found.format == .jpeg)
    #expect(found.has(.corrupt))
  }

  @Test func `a scan needs two bits a block`() throws {
    // 512 blocks across, one down: 128 bytes at least.
    let head = JPEG.head + JPEG.frame(width: 4_096, height: 8) + JPEG.scan()
    let enough = [UInt8](repeating: 0x55, count: 128)
    #expect(try kinds(head + enough + JPEG.end).isEmpty)
    #expect(try kinds(head + enough.dropLast() + JPEG.end) == [.corrupt])
  }

  @Test(arguments: [true, false]) func `orientation is read in either order`(isLittle: Bool) throws
  {
    let block = JPEG.exif([(0x0112, 3, 6)], isLittle: isLittle)
    let found = try inspect(JPEG.start + block + JPEG.whole.dropFirst(2))
    #expect(found.orientation == 6)
    #expect(found.findings.isEmpty)
  }

  @Test(arguments: [0, 9]) func `an orientation that does not exist is absent`(value: Int) throws {
    let file = JPEG.start + JPEG.exif([(0x0112, 3, value)]) + JPEG.whole.dropFirst(2)
    #expect(try inspect(file).orientation == nil)
  }

  @Test func `a latitude in the metadata is noticed`() throws {
    // The GPS directory stands behind header, one entry and the link: at offset 26.
    let file = JPEG.start + JPEG.exif([(0x8825, 4, 26)]) + JPEG.whole.dropFirst(2)
    #expect(try kinds(file) == [.metadataLocation])
    let packet = JPEG.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<GPSLatitude>".utf8))
    #expect(try kinds(JPEG.start + packet + JPEG.whole.dropFirst(2)) == [.metadataLocation])
  }

  @Test func `thousands of scans are corrupt and not walked`() throws {
    let scans = [[UInt8]](repeating: JPEG.scan() + JPEG.entropy, count: 1_001).flatMap(\.self)
    #expect(try kinds(JPEG.head + JPEG.frame() + scans + JPEG.end) == [.corrupt])
  }

  @Test func `an end marker inside a thumbnail does not end the picture`() throws {
    let file = JPEG.start + JPEG.segment(0xE1, JPEG.whole) + JPEG.whole.dropFirst(2)
    #expect(try kinds(file).isEmpty)
  }

  @Test(
    arguments: [
      [UInt8](repeating: 0, count: 4_096), [1, 2, 3], JPEGBytes.whole, [0, 0] + JPEGBytes.whole,
      JPEGBytes.whole + movie, movie,
      [UInt8](repeating: 7, count: 40) + "SEFT",
    ] as [[UInt8]]
  )
  func `padding, further pictures, motion and makers' trailers may follow`(
    appendix: [UInt8]
  ) throws {
    #expect(try kinds(JPEG.whole + appendix).isEmpty)
  }

  private static let movie =
    box("ftyp", Array("isom\0\0\0\0".utf8)) + box("moov", [0]) + box("mdat", [1, 2, 3])

  @Test(arguments: 9..<JPEGStructureTests.movie.count)
  func `a motion photo whose movie is cut has trailing data`(kept: Int) throws {
    #expect(try kinds(JPEG.whole + Self.movie.prefix(kept)) == [.trailingData])
  }

  @Test func `other bytes behind the end are trailing data`() throws {
    #expect(try kinds(JPEG.whole + [UInt8](repeating: 7, count: 40)) == [.trailingData])
  }

  @Test(
    arguments: [
      "PK\u{3}\u{4} an archive", "%PDF-1.7 a document", "<html><body>", "\n\n<!DOCTYPE html>",
      "1234567890 <?php echo 1; ?>", "abcdefgh <SCRIPT>alert(1)</SCRIPT>", "#!/bin/sh\nls",
    ]
  )
  func `another file behind the end is a polyglot`(appendix: String) throws {
    #expect(try kinds(JPEG.whole + appendix) == [.polyglot])
  }

  @Test func `an archive that is found from the back is a polyglot`() throws {
    let record = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)
    #expect(try kinds(JPEG.whole + [UInt8](repeating: 9, count: 99) + record) == [.polyglot])
  }

  @Test func `a document inside a comment is a polyglot`() throws {
    let comment = JPEG.segment(0xFE, Array("%PDF-1.4".utf8))
    #expect(try kinds(JPEG.start + comment + JPEG.whole.dropFirst(2)) == [.polyglot])
  }
}
