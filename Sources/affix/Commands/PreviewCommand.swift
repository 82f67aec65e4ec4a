import AttachmentModel
import DecoderSandbox
import Glibc
import Pipeline
import PolicyChecking

/// `affix preview`: only the preview of one source.
struct PreviewCommand: Sendable {
  let settings: Settings
  let sources: [String]
  let environment: Environment

  /// Checks the source and writes its preview.
  func run() async throws(UsageError) -> ExitStatus {
    guard let source = sources.first, sources.count == 1, source != "-" else {
      throw UsageError("name exactly one source, an address or a file", command: .preview)
    }
    guard let output = settings.previewOutput else {
      throw UsageError("no output is given; write '-o FILE', or '-o -'", command: .preview)
    }
    let destination = try OutputFile(output, for: .preview)
    if case .local(let path) = AttachmentReference(source: source).location,
      destination.isFile(path)
    {
      throw UsageError(
        "the output '\(output)' is the source itself, which would be lost; name another file",
        command: .preview
      )
    }
    let report: AttachmentReport
    do {
      report = try await check(source)
    } catch {
      return error.report()
    }
    guard !Task.isCancelled else { return .fault }
    return deliver(report, to: destination)
  }

  private func check(_ source: String) async throws(PipelineError) -> AttachmentReport {
    let examiner = try settings.examiner(sources: 1)
    let pipeline = try AttachmentPipeline(
      settings.pipelineConfiguration(environment),
      examiner: examiner
    )
    // A signal leaves less time than a large picture takes to decode.
    let report = await withTaskCancellationHandler {
      await pipeline.check(AttachmentReference(source: source))
    } onCancel: {
      pipeline.abandon()
    }
    await pipeline.close()
    examiner.close()
    if let notice = examiner.notice { StandardError.print("affix: \(notice)") }
    return report
  }

  private func deliver(_ report: AttachmentReport, to destination: OutputFile) -> ExitStatus {
    if let fault = report.fault { return fault.report() }
    if case .unobtainable(let error) = report.verdict {
      StandardError.print("affix: \(error.code): \(error.message)")
      return .unobtainable
    }
    for violation in report.violations {
      StandardError.print("affix: \(violation.code.rawValue): \(violation.message)")
    }
    switch report.previews.first?.outcome {
    case .rendered(let preview):
      if case .failed(let problem) = destination.write(preview.bytes) {
        StandardError.print(
          "affix: the preview cannot be written: \(String(cString: strerror(problem)))"
        )
        return .fault
      }
      noteName(of: preview)
      return report.verdict == .rejected ? .rejected : .success
    case .unavailable(let error):
      StandardError.print("affix: no preview: \(error.code.rawValue): \(error.message)")
      return error.code == .budgetSpent ? .unobtainable : .rejected
    case nil:
      if report.violations.isEmpty {
        StandardError.print("affix: no preview: there is no picture to make it of")
      }
      return .rejected
    }
  }

  /// A preview keeps transparency and animation; so a file may be of another format than its name.
  private func noteName(of preview: Preview) {
    guard let path = settings.previewOutput, path != "-",
      let name = AttachmentReference(.local(path)).filenameExtension,
      let extensions = preview.format.type?.filenameExtensions, !extensions.contains(name)
    else { return }
    StandardError.print(
      "affix: the preview is \(preview.format.rawValue), which .\(name) does not name; "
        + "call it .\(extensions.first ?? preview.format.rawValue)"
    )
  }
}
