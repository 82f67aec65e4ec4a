import AttachmentModel
import DecoderSandbox
import FoundationEssentials
import Glibc
import Pipeline
import Reporting
import Threading
import TimeBudgets

/// `affix check`: one report a source.
struct CheckCommand: Sendable {
  let settings: Settings
  let sources: [String]
  let environment: Environment

  /// Checks everything and prints the reports.
  func run() async throws(UsageError) -> ExitStatus {
    guard !sources.isEmpty else {
      throw UsageError(
        "no source is given; name addresses or files, or '-' for a list on standard input",
        command: .check
      )
    }
    guard sources.filter({ $0 == "-" }).count < 2 else {
      throw UsageError(
        "'-' is given twice, but standard input can be read only once",
        command: .check
      )
    }
    let report = try reportFile()
    let examiner: any FileExamining
    let pipeline: AttachmentPipeline
    do {
      // A list on standard input is as long as it likes.
      examiner = try settings.examiner(sources: sources.contains("-") ? .max : sources.count)
      pipeline = try AttachmentPipeline(
        settings.pipelineConfiguration(environment),
        examiner: examiner
      )
    } catch {
      return error.report()
    }
    let date = Date()
    let start = Stopwatch.system.now
    let output = JobThreads.forBlockingCalls()
    let progress = ProgressBar(
      total: sources.contains("-") ? nil : sources.count,
      terminal: Terminal(STDERR_FILENO, environment),
      stopwatch: .system,
      receivedBytes: { pipeline.receivedBytes }
    )
    let stream = ReportStream(isOrdered: settings.isOrdered, thread: output, progress: progress)
    // A signal leaves less time than a large picture takes to decode.
    let (tally, fault) = await withTaskCancellationHandler {
      await check(pipeline, stream: stream, report: report)
    } onCancel: {
      pipeline.abandon()
    }
    let received = pipeline.receivedBytes
    let notice = pipeline.cacheNotice
    await pipeline.close()
    examiner.close()
    await stream.finish()
    if let notice { StandardError.print("affix: the cache: \(notice)") }
    if let notice = examiner.notice { StandardError.print("affix: \(notice)") }
    if let fault { return fault.report() }
    if case .failed(let problem) = stream.failure { return StandardOutput.report(problem) }
    let elapsed = Stopwatch.system.now - start
    if tally.total == 0, !Task.isCancelled, stream.failure == nil {
      StandardError.print("affix: nothing was checked: standard input holds no source")
    } else if !settings.printsJSON {
      let isCut = Task.isCancelled && (sources.contains("-") || tally.total < sources.count)
      StandardError.print(
        Self.summary(of: tally, elapsed: elapsed, received: received)
          + (isCut ? "; interrupted, so what is not listed was not finished" : "")
      )
    }
    guard let report, !Task.isCancelled else { return tally.status }
    guard stream.failure == nil else {
      StandardError.print("affix: no report is written, since the run ended before its last source")
      return tally.status
    }
    let summary = RunSummary(
      totals: tally,
      start: date,
      elapsed: elapsed,
      version: Version.number
    )
    return await finish(report, summary)
  }

  private func reportFile() throws(UsageError) -> ReportFile? {
    switch (settings.reportFormat, settings.reportFile) {
    case (nil, nil): return nil
    case (let format?, let path?):
      return try ReportFile(
        format,
        path: path,
        isOrdered: settings.isOrdered,
        temporaryFolder: settings.pipelineConfiguration(environment).temporaryFolder
      )
    case (let format?, nil):
      throw UsageError(
        "--report \(format.rawValue) needs a file to write to: --report-file FILE",
        command: .check
      )
    case (nil, _?):
      let names = ReportFormat.allCases.map(\.rawValue).joined(separator: "|")
      throw UsageError("--report-file needs a format: --report \(names)", command: .check)
    }
  }

  private func finish(_ report: ReportFile, _ summary: RunSummary) async -> ExitStatus {
    switch await report.finish(summary) {
    case nil, .failed(ECANCELED): return summary.totals.status
    case .closed:
      StandardError.print("affix: the report's reader has gone")
      return summary.totals.status
    case .failed(let problem):
      let reason = String(cString: strerror(problem))
      StandardError.print("affix: the report cannot be written: \(reason)")
      return .fault
    }
  }

  private func check(
    _ pipeline: AttachmentPipeline,
    stream: ReportStream,
    report: ReportFile?
  ) async -> (tally: ReportTotals, fault: PipelineError?) {
    let ticker = Task {
      while !Task.isCancelled {
        stream.refreshProgress()
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    defer { ticker.cancel() }
    let run = CheckRun(
      pipeline: pipeline,
      feed: SourceFeed(sources, hostShare: settings.hostShare),
      output: ReportOutlet(stream: stream, render: renderer(writingHeaderTo: stream)),
      report: report?.outlet,
      allowance: settings.allowance
    )
    // No more tasks than there can be sources.
    let known = sources.contains("-") ? Int.max : sources.count
    return await run.run(width: min(settings.sourcesInHand, known))
  }

  private func renderer(
    writingHeaderTo stream: ReportStream
  ) -> @Sendable (AttachmentReport) throws -> [UInt8] {
    if settings.printsJSON { return { $0.jsonLine() + [10] } }
    let table = ReportTable(style: Terminal(STDOUT_FILENO, environment).style)
    stream.write(Array(table.header.utf8))
    return { Array(table.rows(for: $0).utf8) }
  }

  /// `42 sources: 40 deliverable, 1 rejected, 1 unobtainable in 2.31 s, 12.4 MB fetched`.
  private static func summary(
    of tally: ReportTotals,
    elapsed: Duration,
    received: ByteCount
  ) -> String {
    "\(tally.words) in \(elapsed.rounded)"
      + (received > ByteCount(0) ? ", \(received.rounded) fetched" : "")
  }
}

extension PipelineError {
  /// Says on standard error what is wrong.
  ///
  /// - Returns: Wrong usage where the configuration is at fault, else a fault of ours.
  func report() -> ExitStatus {
    let advice = code == .storageUnavailable ? "; name folders that you may write to" : ""
    StandardError.print("affix: \(code.rawValue): \(message)\(advice)")
    return code == .invalidConfiguration ? .usage : .fault
  }
}
