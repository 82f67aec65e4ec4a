import AttachmentModel
import DecoderSandbox
import Pipeline
import PolicyChecking
import TestSupport
import Testing
import TimeBudgets

/// The time ends after a file was inspected and before its pixels were looked at.
@Suite(.timeLimit(.minutes(1)))
struct LateExaminationTests {
  /// An examiner whose time does not suffice for pixels.
  private struct LateExaminer: FileExamining {
    let inspection: MediaInspection

    let callersPerWorker = 1
    let notice: String? = nil
    let activity = ExaminerActivity()

    func awaitReadiness() {}

    func examine(
      _ slice: FileSlice,
      _ question: ExaminationQuestion,
      within budget: TimeBudget
    ) throws(ExaminationError) -> ExaminationAnswer {
      ExaminationAnswer(
        inspection: inspection,
        pixels: .unavailable(PreviewError(.budgetSpent, "too late")),
        inspectTime: .zero
      )
    }

    func close() {}
  }

  private func report(
    on inspection: MediaInspection,
    of fixture: String = "jpeg/valid/baseline.jpg"
  ) async throws -> AttachmentReport {
    let configuration = AttachmentPipeline.Configuration(
      policies: ["push"].compactMap(AttachmentPolicy.builtIn),
      workers: 1
    )
    let pipeline = try AttachmentPipeline(
      configuration,
      examiner: LateExaminer(inspection: inspection)
    )
    let report = await pipeline.check(AttachmentReference(.local(Fixture(fixture).path)))
    await pipeline.close()
    return report
  }

  @Test func `a picture that nobody looked at is not called deliverable`() async throws {
    let report = try await report(on: MediaInspection(format: .jpeg, size: ByteCount(1_000)))
    #expect(report.verdict == .unobtainable(CheckError(code: "budget-spent", message: "too late")))
  }

  @Test func `what was found before stands`() async throws {
    var inspection = MediaInspection(format: .jpeg, size: ByteCount(1_000))
    inspection.findings = [StructureFinding(.truncated, "it ends early")]
    let report = try await report(on: inspection)
    #expect(report.verdict == .rejected)
    #expect(report.violations.map(\.code) == [.truncated])
  }

  @Test func `a sound whose cover nobody looked at is deliverable`() async throws {
    let sound = MediaInspection(format: .mp3, size: ByteCount(1_000))
    let report = try await report(on: sound, of: "mp3/valid/variable-rate.mp3")
    #expect(report.verdict == .deliverable)
  }
}
