import AttachmentModel
import Glibc
import Pipeline
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
    let pipeline: AttachmentPipeline
    do {
      pipeline = try AttachmentPipeline(settings.pipelineConfiguration(environment))
    } catch {
      return error.report()
    }
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
      await check(pipeline, stream: stream)
    } onCancel: {
      pipeline.abandon()
    }
    let received = pipeline.receivedBytes
    let notice = pipeline.cacheNotice
    await pipeline.close()
    await stream.finish()
    if let notice { StandardError.print("affix: the cache: \(notice)") }
    if let fault { return fault.report() }
    if case .failed(let problem) = stream.failure { return StandardOutput.report(problem) }
    if !settings.printsJSON {
      let elapsed = Stopwatch.system.now - start
      StandardError.print(Self.summary(of: tally, elapsed: elapsed, received: received))
    }
    return tally.status
  }

  private func check(
    _ pipeline: AttachmentPipeline,
    stream: ReportStream
  ) async -> (tally: CheckRun.Tally, fault: PipelineError?) {
    let ticker = Task {
      while !Task.isCancelled {
        stream.refreshProgress()
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    defer { ticker.cancel() }
    let run = CheckRun(
      pipeline: pipeline,
      feed: SourceFeed(sources),
      stream: stream,
      allowance: settings.allowance,
      render: renderer(writingHeaderTo: stream)
    )
    // No more tasks than there can be sources.
    let known = sources.contains("-") ? Int.max : sources.count
    return await run.run(width: min(settings.sourcesInHand, known))
  }

  private func renderer(
    writingHeaderTo stream: ReportStream
  ) -> @Sendable (AttachmentReport) throws -> [UInt8] {
    if settings.printsJSON { return { try $0.jsonLine() + [10] } }
    let table = ReportTable(terminal: Terminal(STDOUT_FILENO, environment))
    stream.write(Array(table.header.utf8))
    return { Array(table.rows(for: $0).utf8) }
  }

  /// `42 sources: 40 deliverable, 1 rejected, 1 unobtainable in 2.31 s, 12.4 MB fetched`.
  private static func summary(
    of tally: CheckRun.Tally,
    elapsed: Duration,
    received: ByteCount
  ) -> String {
    "\(tally.total) \(tally.total == 1 ? "source" : "sources"): "
      + "\(tally.deliverable) deliverable, \(tally.rejected) rejected, "
      + "\(tally.unobtainable) unobtainable in \(elapsed.rounded)"
      + (received > ByteCount(0) ? ", \(received.rounded) fetched" : "")
  }
}

extension PipelineError {
  /// Says on standard error what is wrong.
  ///
  /// - Returns: Wrong usage where the configuration is at fault, else a fault of ours.
  func report() -> ExitStatus {
    StandardError.print("affix: \(code.rawValue): \(message)")
    return code == .invalidConfiguration ? .usage : .fault
  }
}
