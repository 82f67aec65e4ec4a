import AttachmentModel
import DecoderSandbox
import Testing

/// Nothing that a child could have made up reaches the parent's calculations, terminal or files.
@Suite(.timeLimit(.minutes(1)))
struct AnswerRulesTests {
  /// A lie, and how it is told.
  struct Lie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let tell: @Sendable (inout ExaminationAnswer) -> Void

    init(_ description: String, _ tell: @escaping @Sendable (inout ExaminationAnswer) -> Void) {
      testDescription = description
      self.tell = tell
    }
  }

  private static let preview = Preview(
    format: .jpeg,
    bytes: [0xFF, 0xD8, 0xFF, 0xE0],
    width: 8,
    height: 8,
    quality: 80,
    encodes: 1
  )

  private static func examination(_ previews: [Preview]) -> ImageExamination {
    ImageExamination(
      decoding: .whole,
      previews: previews.map { .rendered($0) },
      decodeTime: .milliseconds(2),
      previewTime: .milliseconds(1)
    )
  }

  private static var honest: ExaminationAnswer {
    var inspection = MediaInspection(format: .jpeg, contentName: "a JPEG", size: ByteCount(1_000))
    inspection.width = 8
    inspection.height = 8
    inspection.coverArt = 10..<1_000
    inspection.findings = [StructureFinding(.trailingData, "12 bytes")]
    return ExaminationAnswer(
      inspection: inspection,
      pixels: .picture(examination([preview])),
      inspectTime: .milliseconds(1)
    )
  }

  private static func isAllowed(_ answer: ExaminationAnswer) -> Bool {
    let question = ExaminationQuestion(
      decodesPixels: true,
      previews: [PreviewRequest(limit: ByteCount(100))],
      pixelLimit: 1_000_000
    )
    return AnswerRules(question: question, size: ByteCount(1_000), spent: .milliseconds(10))
      .allow(answer)
  }

  /// A change of the only preview.
  private static func preview(_ change: (inout Preview) -> Void) -> ExaminationAnswer.Pixels {
    var preview = preview
    change(&preview)
    return .picture(examination([preview]))
  }

  @Test func `an honest answer passes`() {
    #expect(Self.isAllowed(Self.honest))
  }

  @Test(arguments: [
    Lie("another size") { $0.inspection.size = ByteCount(1_001) },
    Lie("a negative width") { $0.inspection.width = -1 },
    Lie("a height beyond 32 bits") { $0.inspection.height = Int.max },
    Lie("frames beyond 32 bits") { $0.inspection.frames = Int.max },
    Lie("an orientation of 9") { $0.inspection.orientation = 9 },
    Lie("a playing time that runs backwards") { $0.inspection.duration = .seconds(-1) },
    Lie("a cover behind the end") { $0.inspection.coverArt = 10..<1_001 },
    Lie("a cover before the beginning") { $0.inspection.coverArt = -1..<10 },
    Lie("text of less than nothing") { $0.inspection.packedTextSize = ByteCount(-1) },
    Lie("a name that clears the screen") { $0.inspection.contentName = "\u{1B}[2J" },
    Lie("a name of two lines") { $0.inspection.contentName = "a\nb" },
    Lie("a codec as long as a book") {
      $0.inspection.videoCodec = String(repeating: "a", count: 2_000)
    },
    Lie("more findings than a file can have") {
      $0.inspection.findings = Array(repeating: StructureFinding(.corrupt, ""), count: 1_001)
    },
    Lie("a finding with a control character") {
      $0.inspection.findings = [StructureFinding(.corrupt, "\u{9B}0m")]
    },
    Lie("time from nowhere") { $0.inspectTime = .seconds(1) },
    Lie("negative time") { $0.inspectTime = .seconds(-1) },
    Lie("a wait that it cannot know of") { $0.waited = .seconds(1) },
    Lie("no preview") { $0.pixels = .picture(Self.examination([])) },
    Lie("one preview too many") {
      $0.pixels = .picture(Self.examination([Self.preview, Self.preview]))
    },
    Lie("a preview over its limit") {
      $0.pixels = Self.preview { $0.bytes += [UInt8](repeating: 0, count: 100) }
    },
    Lie("a preview that is a web page") {
      $0.pixels = Self.preview { $0.bytes = Array("<html>".utf8) }
    },
    Lie("a preview of no such format") { $0.pixels = Self.preview { $0.format = .html } },
    Lie("a preview of negative width") { $0.pixels = Self.preview { $0.width = -8 } },
    Lie("a preview of quality 1,000") { $0.pixels = Self.preview { $0.quality = 1_000 } },
    Lie("a reason of two lines") { $0.pixels = .unavailable(PreviewError(.undecodable, "a\nb")) },
  ])
  func `a lie does not`(lie: Lie) {
    var answer = Self.honest
    lie.tell(&answer)
    #expect(!Self.isAllowed(answer))
  }
}
