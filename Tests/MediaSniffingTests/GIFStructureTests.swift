import AttachmentModel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct GIFStructureTests {
  typealias GIF = GIFBytes

  @Test func `a whole picture has its size, its frames and no findings`() throws {
    let found = try inspect(GIF.whole)
    #expect(found.format == .gif)
    #expect(found.width == 4 && found.height == 4 && found.frames == 1)
    #expect(found.findings.isEmpty)
  }

  @Test func `frames are counted`() throws {
    let file = GIF.screen() + GIF.frame() + GIF.control + GIF.frame() + [0x3B]
    #expect(try inspect(file).frames == 2)
  }

  @Test(arguments: [1, 2, 5, 12, 20, 33]) func `a cut picture is truncated`(missing: Int) throws {
    #expect(try kinds(GIF.whole.dropLast(missing)) == [.truncated])
  }

  @Test func `a trailer without a frame is corrupt`() throws {
    #expect(try kinds(GIF.screen() + GIF.control + [0x3B]) == [.corrupt])
  }

  @Test func `garbage between blocks is corrupt`() throws {
    let found = try inspect(GIF.screen() + GIF.frame() + [0x42] + GIF.frame() + [0x3B])
    #expect(found.findings.map(\.kind) == [.corrupt])
    #expect(found.frames == 1)
  }

  @Test func `a doubled terminator is passed over`() throws {
    #expect(try kinds(GIF.screen() + GIF.frame() + [0] + GIF.frame() + [0x3B]).isEmpty)
  }

  @Test func `a frame that sticks out of the screen is no finding`() throws {
    let file = GIF.screen(width: 2, height: 2) + GIF.frame(width: 9, height: 9) + [0x3B]
    #expect(try kinds(file).isEmpty)
  }

  @Test func `frames without pixels or with impossible codes are corrupt`() throws {
    #expect(try kinds(GIF.screen() + GIF.frame(width: 0) + [0x3B]) == [.corrupt])
    #expect(try kinds(GIF.screen() + GIF.frame(codeSize: 12) + [0x3B]) == [.corrupt])
    let vast = GIF.screen() + GIF.frame(width: 9_999, height: 9_999) + [0x3B]
    #expect(try kinds(vast) == [.corrupt])
  }

  @Test func `a screen without a size takes its first frame's`() throws {
    let found = try inspect(GIF.screen(width: 0, height: 0) + GIF.frame() + [0x3B])
    #expect(found.width == 4 && found.height == 4)
  }

  @Test func `bytes behind the trailer are trailing data or a polyglot`() throws {
    #expect(try kinds(GIF.whole + [UInt8](repeating: 7, count: 9)) == [.trailingData])
    #expect(try kinds(GIF.whole + "<script>alert(1)</script>") == [.polyglot])
  }
}
