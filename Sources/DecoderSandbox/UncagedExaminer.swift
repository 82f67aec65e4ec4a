public import AttachmentModel
import MediaSniffing
import PreviewRendering
public import TimeBudgets

/// Examines files in this process, where a fault of a decoder is a fault of the process.
public struct UncagedExaminer: FileExamining {
  /// The formats whose decoders are trusted with hostile files outside a cage: those of browsers
  /// and phones, which are fuzzed for decades by everybody.
  public static let hardenedFormats: Set<MediaFormat> = [.jpeg, .png, .apng, .gif]

  private let inspector = MediaInspector()
  /// Nothing where no pixels are decoded: starting libvips takes longer than many a check.
  private let examiner: ImageExaminer?
  private let formats: Set<MediaFormat>

  /// An examiner that is ready to work: libmagic, and libvips where it is needed, are started.
  ///
  /// - Parameter formats: The formats whose pixels are decoded; without any, no pixels are.
  /// - Throws: `library-unavailable` where a library does not start.
  public init(decoding formats: Set<MediaFormat>) throws(ExaminationError) {
    self.formats = formats
    do throws(InspectionError) {
      try inspector.prepare()
    } catch {
      throw ExaminationError(.libraryUnavailable, error.message)
    }
    do throws(PreviewError) {
      examiner = formats.isEmpty ? nil : try ImageExaminer()
    } catch {
      throw ExaminationError(.libraryUnavailable, error.message)
    }
  }

  /// The caller's own thread does the work.
  public var callersPerWorker: Int { 1 }

  /// Says that there is no sandbox, and what is decoded all the same.
  public var notice: String? {
    formats.isEmpty
      ? "files are inspected without a sandbox"
      : "files are decoded without a sandbox, and of pictures only "
        + Self.names(of: formats)
  }

  /// Formats in a sentence.
  static func names(of formats: Set<MediaFormat>) -> String {
    formats.map(\.rawValue).sorted().joined(separator: ", ")
  }

  /// None: there are no children.
  public var activity: ExaminerActivity { ExaminerActivity() }

  /// Does nothing: libraries were started when this was made.
  public func awaitReadiness() {}

  /// Does nothing: what was started serves the whole process.
  public func close() {}

  /// Inspects a file, and decodes its pixels or those of its cover where the question asks so.
  ///
  /// - Parameters:
  ///   - slice: The bytes of a regular file.
  ///   - question: What is wanted.
  ///   - budget: What the file may spend; looked at while pixels are decoded.
  /// - Returns: What the file is.
  /// - Throws: `unreadable`.
  public func examine(
    _ slice: FileSlice,
    _ question: ExaminationQuestion,
    within budget: TimeBudget
  ) throws(ExaminationError) -> ExaminationAnswer {
    let (found, time) = try budget.stopwatch.measure { () throws(ExaminationError) in
      if let known = question.inspection { known } else { try inspect(slice) }
    }
    var answer = ExaminationAnswer(inspection: found, pixels: .unasked, inspectTime: time)
    guard question.decodesPixels else { return answer }
    do throws(PreviewError) {
      answer.pixels = try pixels(of: slice, question, within: budget, &answer)
    } catch {
      answer.pixels = .unavailable(error)
    }
    return answer
  }

  private func inspect(_ slice: FileSlice) throws(ExaminationError) -> MediaInspection {
    do throws(InspectionError) {
      return try inspector.inspect(slice)
    } catch {
      throw ExaminationError(.unreadable, error.message)
    }
  }

  private func pixels(
    of slice: FileSlice,
    _ question: ExaminationQuestion,
    within budget: TimeBudget,
    _ answer: inout ExaminationAnswer
  ) throws(PreviewError) -> ExaminationAnswer.Pixels {
    let found = answer.inspection
    if let obstacle = found.previewObstacle { throw obstacle }
    guard found.kind == .audio else {
      return .picture(try decode(slice, found, question, within: budget))
    }
    guard !question.previews.isEmpty else { return .unasked }
    let (cover, time) = budget.stopwatch.measure { self.cover(in: slice, found) }
    answer.inspectTime += time
    guard let cover else {
      throw PreviewError(.noCover, "the audio carries no cover picture")
    }
    return .cover(try decode(cover.slice, cover.inspection, question, within: budget))
  }

  private func decode(
    _ picture: FileSlice,
    _ inspection: MediaInspection,
    _ question: ExaminationQuestion,
    within budget: TimeBudget
  ) throws(PreviewError) -> ImageExamination {
    guard let examiner, formats.contains(inspection.format) else {
      throw PreviewError(
        .undecodable,
        "\(inspection.format.rawValue) is decoded inside the sandbox only"
      )
    }
    return try examiner.examine(
      picture,
      inspection: inspection,
      previews: question.previews,
      pixelLimit: question.pixelLimit,
      within: budget
    )
  }

  /// Cover art inside the file, where it is a picture that can be decoded.
  private func cover(
    in file: FileSlice,
    _ inspection: MediaInspection
  ) -> (slice: FileSlice, inspection: MediaInspection)? {
    guard let range = inspection.coverArt else { return nil }
    let slice = FileSlice(
      descriptor: file.descriptor,
      offset: file.offset + range.lowerBound,
      size: ByteCount(Int64(range.count))
    )
    guard let found = try? inspector.inspect(slice), found.format.isDecodable else { return nil }
    return (slice, found)
  }
}
