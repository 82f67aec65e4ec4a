import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PNGStructureTests {
  typealias PNG = PNGBytes

  @Test func `a whole picture has its size and no findings`() throws {
    let found = try inspect(PNG.whole)
    #expect(found.format == .png)
    #expect(found.width == 3 && found.height == 2 && found.frames == 1)
    #expect(found.findings.isEmpty)
  }

  @Test(arguments: [1, 4, 12, 20]) func `a cut picture is truncated`(missing: Int) throws {
    #expect(try kinds(PNG.whole.dropLast(missing)) == [.truncated])
  }

  @Test func `one flipped bit in a critical chunk is corrupt`() throws {
    let data = try #require(PNG.whole.firstIndex(of: "IDAT"))
    #expect(try kinds(PNG.whole.flipped(at: data + 9)) == [.corrupt])
    #expect(try kinds(PNG.whole.flipped(at: PNG.whole.count - 1)) == [.corrupt])
  }

  @Test func `one flipped bit in an ancillary chunk is passed over`() throws {
    let text = PNG.chunk("tEXt", Array("Comment\0x".utf8)).flipped(at: 10)
    #expect(try kinds(PNG.signature + PNG.header() + text + PNG.data + PNG.end).isEmpty)
  }

  @Test(
    arguments: [
      ("zTXt", "Comment\0\0x", 10), ("iTXt", "Comment\0\u{1}\0\0\0x", 13),
      ("iTXt", "Comment\0\0\0\0\0x", 0), ("tEXt", "Comment\0x", 0), ("iTXt", "Comment", 0),
    ] as [(String, String, Int64)]
  )
  func `text that has to be inflated is added up`(
    name: String,
    body: String,
    size: Int64
  ) throws {
    let text = PNG.chunk(name, Array(body.utf8))
    let file = PNG.signature + PNG.header() + text + PNG.data + PNG.end
    let inspection = try MediaInspector().inspect(ByteReader(file))
    #expect(inspection.packedTextSize == ByteCount(size))
  }

  @Test func `long chunks are summed across windows`() throws {
    let body = [0x78, 0x9C] + [UInt8](repeating: 0xA5, count: 600_001)
    let file = PNG.signature + PNG.header() + PNG.chunk("IDAT", body) + PNG.end
    #expect(try kinds(file).isEmpty)
    #expect(try kinds(file.flipped(bit: 7, at: 500_000)) == [.corrupt])
  }

  @Test(
    arguments: [
      PNGBytes.header(width: 0), PNGBytes.header(height: 0), PNGBytes.header(depth: 3),
      PNGBytes.header(colour: 1), PNGBytes.header(depth: 16, colour: 3),
      PNGBytes.header(depth: 4, colour: 2), PNGBytes.header(colour: 3), [],
      PNGBytes.header() + PNGBytes.header(), PNGBytes.chunk("IHDR", [1, 2, 3]),
      PNGBytes.header() + PNGBytes.chunk("ABCD"),
      PNGBytes.header() + PNGBytes.chunk("PLTE", [1, 2]),
      PNGBytes.header(width: 60_000, height: 60_000),
    ] as [[UInt8]]
  )
  func `a header or palette that contradicts itself is corrupt`(head: [UInt8]) throws {
    #expect(try kinds(PNG.signature + head + PNG.data + PNG.end) == [.corrupt])
  }

  @Test func `data that is missing, scattered or no zlib stream is corrupt`() throws {
    let head = PNG.signature + PNG.header()
    #expect(try kinds(head + PNG.end) == [.corrupt])
    #expect(try kinds(head + PNG.data + PNG.chunk("tEXt") + PNG.data + PNG.end) == [.corrupt])
    #expect(try kinds(head + PNG.chunk("IDAT", [1, 2, 3]) + PNG.end) == [.corrupt])
    #expect(try kinds(head + PNG.data + PNG.data + PNG.end).isEmpty)
  }

  @Test func `a palette picture with its palette is whole`() throws {
    let palette = PNG.chunk("PLTE", [0, 0, 0, 255, 255, 255])
    let file = PNG.signature + PNG.header(colour: 3) + palette + PNG.data + PNG.end
    #expect(try kinds(file).isEmpty)
  }

  @Test(arguments: [[0x0A, 0x1A, 0x0A], [0x0D, 0x1A, 0x0D]] as [[UInt8]])
  func `a signature with converted line ends is named and corrupt`(ends: [UInt8]) throws {
    let found = try inspect([0x89, 0x50, 0x4E, 0x47] + ends + PNG.whole.dropFirst(8))
    #expect(found.format == .png)
    #expect(found.findings.map(\.kind) == [.corrupt])
  }

  @Test func `an animation tells its frames`() throws {
    let found = try inspect(PNG.animation())
    #expect(found.format == .apng)
    #expect(found.frames == 2)
    #expect(found.findings.isEmpty)
  }

  @Test func `animations that are numbered or counted wrongly are corrupt`() throws {
    #expect(try kinds(PNG.animation(frames: 3)) == [.corrupt])
    #expect(try kinds(PNG.animation(second: 2)) == [.corrupt])
    #expect(try kinds(PNG.animation(data: 7)) == [.corrupt])
  }

  @Test func `a frame outside the picture is corrupt`() throws {
    let file =
      PNG.signature + PNG.header() + PNG.chunk("acTL", big(1, 4) + big(0, 4))
      + PNG.control(0, left: 1) + PNG.data + PNG.end
    #expect(try kinds(file) == [.corrupt])
  }

  @Test func `an animation announced behind the data is none`() throws {
    let late = PNG.chunk("acTL", big(9, 4) + big(0, 4))
    let found = try inspect(PNG.signature + PNG.header() + PNG.data + late + PNG.end)
    #expect(found.format == .png)
    #expect(found.frames == 1)
  }

  @Test func `orientation is read from the Exif chunk`() throws {
    let block = PNG.chunk("eXIf", Array(JPEGBytes.exif([(0x0112, 3, 8)]).dropFirst(10)))
    let found = try inspect(PNG.signature + PNG.header() + block + PNG.data + PNG.end)
    #expect(found.orientation == 8)
  }

  @Test func `bytes behind the end are trailing data or a polyglot`() throws {
    #expect(try kinds(PNG.whole + [0, 0, 0, 0]).isEmpty)
    #expect(try kinds(PNG.whole + PNG.whole) == [.trailingData])
    #expect(try kinds(PNG.whole + "PK\u{3}\u{4}....") == [.polyglot])
    #expect(try kinds(PNG.whole + box("ftyp", Array("mp42\0\0\0\0".utf8))) == [.polyglot])
  }
}
