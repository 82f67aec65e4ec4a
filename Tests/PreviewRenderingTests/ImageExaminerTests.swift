import AttachmentModel
import Glibc
import PreviewRendering
import TestSupport
import Testing
import TimeBudgets

@Suite(.timeLimit(.minutes(1)))
struct ImageExaminerTests {
  private static let large = Scene.detailed(width: 900, height: 600)
  private static let middling = Scene.detailed(width: 300, height: 200)

  private func code(_ outcome: ImageExamination.Outcome) -> PreviewError.Code? {
    guard case .unavailable(let error) = outcome else { return nil }
    return error.code
  }

  private func thrownCode(_ work: () throws -> ImageExamination) -> PreviewError.Code? {
    do {
      _ = try work()
      return nil
    } catch {
      return (error as? PreviewError)?.code
    }
  }

  @Test func `a whole picture has no damage and a preview within the limit`() throws {
    let examination = try Scene.examine(
      Self.large,
      .png,
      [PreviewRequest(size: .longEdge(600), limit: .kilobytes(60))]
    )
    #expect(examination.decoding == .whole)
    let preview = try Scene.preview(examination)
    #expect(preview.format == .jpeg)
    #expect(preview.bytes.count <= 60_000)
    #expect(preview.bytes.starts(with: [0xFF, 0xD8]))
    #expect(preview.width == 600)
    #expect(preview.height == 400)
    #expect(preview.encodes <= 3)
    #expect(examination.decodeTime > .zero)
    #expect(examination.previewTime > .zero)
  }

  @Test(arguments: [100_000, 40_000, 20_000, 5_000, 2_000] as [Int64])
  func `a limit is never exceeded`(limit: Int64) throws {
    let request = PreviewRequest(size: .longEdge(600), limit: ByteCount(limit))
    let png = Self.large
    let preview = try Scene.preview(Scene.examine(png, .png, [request]))
    #expect(preview.bytes.count <= limit)
    #expect(preview.bytes.count >= limit / 2)
  }

  @Test(
    arguments: [(300, 300_000, false), (500, 12_000, true), (1_440, 300_000, false)]
      as [(Int, Int64, Bool)]
  )
  func `a JPEG has halved chroma, in order, and tables of its own where they buy quality cheaply`(
    longEdge: Int,
    limit: Int64,
    hasOwnTables: Bool
  ) throws {
    let photo = Fixture("jpeg/valid/photo-1600x1200.jpg").bytes
    let request = PreviewRequest(size: .longEdge(longEdge), limit: ByteCount(limit))
    let jpeg = try Scene.preview(Scene.examine(photo, .jpeg, [request])).bytes
    let frame = try #require(jpeg.firstRange(of: [0xFF, 0xC0])?.lowerBound)
    // Luma sampled twice as finely as chroma, both ways (ITU-T T.81, B.2.2).
    #expect([jpeg[frame + 11], jpeg[frame + 14], jpeg[frame + 17]] == [0x22, 0x11, 0x11])
    // The usual table of luma's AC coefficients has 162 entries (K.3.3.2).
    let usual: [UInt8] = [0xFF, 0xC4, 0x00, 0xB5, 0x10]
    #expect((jpeg.firstRange(of: usual) == nil) == hasOwnTables)
  }

  @Test(arguments: [-5, 0, 10, 300] as [Int64])
  func `a limit below any picture cannot be fitted`(limit: Int64) throws {
    let request = PreviewRequest(limit: ByteCount(limit))
    let examination = try Scene.examine(Self.middling, .png, [request])
    #expect(code(examination.previews[0]) == .cannotFit)
    #expect(examination.decoding == .whole)
  }

  @Test(arguments: [PreviewRequest.Size.longEdge(1_440), .within(width: 2_000, height: 1_000)])
  func `a picture is never enlarged`(size: PreviewRequest.Size) throws {
    let png = Scene.detailed(width: 60, height: 40)
    let preview = try Scene.preview(Scene.examine(png, .png, [PreviewRequest(size: size)]))
    #expect(preview.width == 60)
    #expect(preview.height == 40)
  }

  @Test func `each request has its outcome, in order`() throws {
    let examination = try Scene.examine(
      Self.middling,
      .png,
      [
        PreviewRequest(size: .longEdge(30)), PreviewRequest(limit: ByteCount(1)),
        PreviewRequest(size: .within(width: 500, height: 100)),
      ]
    )
    #expect(examination.previews.count == 3)
    #expect(code(examination.previews[1]) == .cannotFit)
    let widths = examination.previews.map { outcome -> Int? in
      guard case .rendered(let preview) = outcome else { return nil }
      return preview.width
    }
    #expect(widths == [30, nil, 150])
  }

  @Test(arguments: [[], [PreviewRequest()]] as [[PreviewRequest]])
  func `a cut JPEG is damaged`(previews: [PreviewRequest]) throws {
    let jpeg = try Scene.detailedJPEG(width: 640, height: 480)
    let whole = try Scene.examine(jpeg, .jpeg, previews)
    #expect(whole.decoding == .whole)
    let cut = try Scene.examine(Array(jpeg.prefix(jpeg.count / 2)), .jpeg, previews)
    #expect(cut.decoding != .whole)
    #expect(cut.previews.count == previews.count)
  }

  @Test func `what decodes of a damaged picture still makes a preview`() throws {
    let jpeg = try Scene.detailedJPEG(width: 640, height: 480)
    let examination = try Scene.examine(Array(jpeg.prefix(jpeg.count / 2)), .jpeg)
    let preview = try Scene.preview(examination)
    #expect(preview.width == 640)
  }

  @Test(arguments: [[], [PreviewRequest()]] as [[PreviewRequest]])
  func `a cut PNG is damaged`(previews: [PreviewRequest]) throws {
    let png = Scene.detailed(width: 200, height: 200)
    let cut = try Scene.examine(Array(png.prefix(png.count / 2)), .png, previews)
    #expect(cut.decoding != .whole)
  }

  @Test(arguments: [MediaFormat.jpeg, .png, .apng, .gif, .webp, .heic, .avif, .tiff])
  func `bytes that are no image are damaged and have no preview`(format: MediaFormat) throws {
    let noise = (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }
    let examination = try Scene.examine(noise, format)
    guard case .damaged(let words) = examination.decoding else {
      Issue.record("noise was decoded")
      return
    }
    #expect(words.count <= 120)
    #expect(!words.contains("\n"))
    #expect(code(examination.previews[0]) == .undecodable)
  }

  @Test(arguments: [0, 1, 2, 12], [MediaFormat.jpeg, .png, .gif, .webp, .heic, .tiff])
  func `next to no bytes are damage`(count: Int, format: MediaFormat) throws {
    let bytes = [UInt8]("GIF89a______".utf8.prefix(count))
    #expect(try Scene.examine(bytes, format).decoding != .whole)
  }

  @Test(arguments: [MediaFormat.bmp, .svg, .pdf, .jxl, .mp3, .other])
  func `formats without a trusted decoder are not opened`(format: MediaFormat) {
    let png = Scene.detailed(width: 10, height: 10)
    #expect(thrownCode { try Scene.examine(png, format) } == .undecodable)
  }

  @Test func `the format chooses the decoder, not the bytes`() throws {
    let examination = try Scene.examine(Scene.detailed(width: 10, height: 10), .jpeg)
    #expect(examination.decoding != .whole)
  }

  @Test(arguments: [(1, 8), (8, 1), (1, 1), (7, 9), (3, 17)])
  func `tiny JPEGs are drained whole`(width: Int, height: Int) throws {
    let jpeg = try Scene.detailedJPEG(width: width, height: height)
    try #require(jpeg.starts(with: [0xFF, 0xD8]) || jpeg.starts(with: [0x89]))
    let format: MediaFormat = jpeg[0] == 0xFF ? .jpeg : .png
    #expect(try Scene.examine(jpeg, format, []).decoding == .whole)
  }

  @Test func `a one-block JPEG is drained whole`() throws {
    var jpeg = PictureWriter.jpeg(samples: [90, 128, 128])
    // One pixel instead of eight by eight: shrunk in the decoder, nothing would be left.
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
    jpeg[frame + 6] = 1
    jpeg[frame + 8] = 1
    #expect(try Scene.examine(jpeg, .jpeg, []).decoding == .whole)
    #expect(try Scene.examine(jpeg, .jpeg).decoding == .whole)
  }

  @Test func `a pixel bomb is refused by its header`() {
    let bomb = PictureWriter.pngHeader(width: 60_000, height: 60_000)
    #expect(thrownCode { try Scene.examine(bomb, .png) } == .tooManyPixels)
  }

  @Test(arguments: ["png/damaged/bomb-65535x65535.png", "png/damaged/bomb-110-megapixels.png"])
  func `a pixel bomb costs next to nothing`(name: String) throws {
    let bomb = Fixture(name).bytes
    try #require(!bomb.isEmpty)
    let (code, elapsed) = Stopwatch.system.measure {
      thrownCode { try Scene.examine(bomb, .png) }
    }
    #expect(code == .tooManyPixels)
    // Nothing of it is decoded, which would take seconds.
    #expect(elapsed < .seconds(1))
  }

  @Test(arguments: [(600, nil), (599, .tooManyPixels)] as [(Int, PreviewError.Code?)])
  func `the pixel limit is exact`(limit: Int, expected: PreviewError.Code?) {
    let png = Scene.detailed(width: 30, height: 20)
    #expect(thrownCode { try Scene.examine(png, .png, pixelLimit: limit) } == expected)
  }

  @Test func `a spent budget decodes nothing`() {
    let watch = ManualStopwatch()
    let budget = TimeBudget(.seconds(1), stopwatch: watch.stopwatch)
    watch.advance(by: .seconds(1))
    let png = Scene.detailed(width: 30, height: 20)
    #expect(thrownCode { try Scene.examine(png, .png, within: budget) } == .budgetSpent)
  }

  @Test(arguments: Array(stride(from: 2, through: 200, by: 9)))
  func `a budget that ends midway is told apart from damage`(readings: Int) throws {
    // A stopwatch that is a millisecond on at each look ends at every stage in turn.
    let watch = ManualStopwatch()
    let ticking = Stopwatch {
      watch.advance(by: .milliseconds(1))
      return watch.stopwatch.now
    }
    let budget = TimeBudget(.milliseconds(readings), stopwatch: ticking)
    let png = Self.middling
    let request = PreviewRequest(size: .longEdge(250), limit: .kilobytes(20))
    do {
      let examination = try Scene.examine(png, .png, [request], within: budget)
      #expect(examination.decoding == .whole)
      if let code = code(examination.previews[0]) { #expect(code == .budgetSpent) }
    } catch let error as PreviewError {
      #expect(error.code == .budgetSpent)
    }
  }

  @Test func `the file's offset stays where it was`() throws {
    let file = ScratchFile(Scene.detailed(width: 30, height: 20))
    lseek(file.descriptor, 7, SEEK_SET)
    _ = try ImageExaminer().examine(
      file.slice,
      inspection: Scene.inspection(.png, size: file.size),
      previews: [],
      pixelLimit: 1_000,
      within: TimeBudget(.seconds(60))
    )
    #expect(lseek(file.descriptor, 0, SEEK_CUR) == 7)
  }

  @Test(arguments: [MediaFormat.png, .gif, .webp])
  func `a file that was cut after its inspection kills nobody`(format: MediaFormat) throws {
    let file = ScratchFile(Self.middling)
    ftruncate(file.descriptor, 5_000)
    let examination = try ImageExaminer().examine(
      file.slice,
      inspection: Scene.inspection(format, size: file.size),
      previews: [],
      pixelLimit: 1_000_000,
      within: TimeBudget(.seconds(60))
    )
    #expect(examination.decoding != .whole)
  }

  @Test func `a picture that carries much compressed text is not decoded`() throws {
    let file = ScratchFile(Self.middling)
    var inspection = Scene.inspection(.png, size: file.size)
    inspection.packedTextSize = ByteCount(100_001)
    let error = #expect(throws: PreviewError.self) {
      try ImageExaminer().examine(
        file.slice,
        inspection: inspection,
        previews: [],
        pixelLimit: 1_000_000,
        within: TimeBudget(.seconds(60))
      )
    }
    #expect(error?.code == .undecodable)
  }

  @Test(.disabled(if: Sanitizer.isActive, "sanitizers keep freed memory"))
  func `two hundred renders leave memory as it was`() throws {
    let jpeg = try Scene.detailedJPEG(width: 400, height: 300)
    let request = PreviewRequest(size: .longEdge(200), limit: .kilobytes(8))
    func render(_ count: Int) throws {
      for _ in 0..<count { _ = try Scene.examine(jpeg, .jpeg, [request]) }
    }
    try render(30)
    let before = Self.residentBytes
    try render(200)
    // Other suites run in this process; a leak of one decoded picture a render would be 70 MB.
    #expect(Self.residentBytes - before < 40_000_000)
  }

  private static var residentBytes: Int {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = read(file, &text, text.count)
    let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
  }
}
