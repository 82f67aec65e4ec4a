import AttachmentModel
import PreviewRendering
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BlankFrameTests {
  private static let palette: [[UInt8]] = [
    [0, 0, 0], [255, 255, 255], [220, 40, 30], [30, 60, 220],
  ]

  private static func flat(_ colour: UInt8, transparent: UInt8? = nil) -> GIFWriter.Frame {
    GIFWriter.Frame(
      width: 40,
      height: 30,
      palette: palette,
      transparent: transparent,
      disposal: .clear
    ) { _, _ in colour }
  }

  private static func scene() -> GIFWriter.Frame {
    GIFWriter.Frame(width: 40, height: 30, palette: palette) { x, _ in x < 20 ? 2 : 3 }
  }

  /// The palette's entry that the preview shows at its left, a palette of its own allowed for.
  private func leftmost(_ frames: [GIFWriter.Frame]) throws -> Int? {
    let gif = GIFWriter(width: 40, height: 30).file(frames)
    let preview = try Scene.preview(Scene.examine(gif, .gif))
    let pixel = try Scene.pixel(of: preview.bytes, preview.format, x: 4, y: 15)
    return Self.palette.firstIndex { colour in
      zip(pixel, colour).allSatisfy { abs(Int($0) - Int($1)) <= 3 }
    }
  }

  @Test(arguments: [1, 2, 15])
  func `a still shows the first frame with something to see`(blanks: Int) throws {
    let frames = (0..<blanks).map { Self.flat($0.isMultiple(of: 2) ? 0 : 1) } + [Self.scene()]
    #expect(try leftmost(frames) == 2)
  }

  @Test func `frames that are transparent are not shown`() throws {
    let frames = [Self.flat(1, transparent: 1), Self.flat(0, transparent: 0), Self.scene()]
    #expect(try leftmost(frames) == 2)
  }

  @Test func `where there is nothing to see the first frame is shown`() throws {
    #expect(try leftmost([Self.flat(1), Self.flat(0), Self.flat(1)]) == 1)
  }

  @Test func `no more than sixteen frames are looked at`() throws {
    let frames = (0..<16).map { _ in Self.flat(1) } + [Self.scene()]
    #expect(try leftmost(frames) == 1)
  }

  @Test func `a first frame with something to see is shown whatever follows`() throws {
    #expect(try leftmost([Self.scene(), Self.flat(1)]) == 2)
  }
}
