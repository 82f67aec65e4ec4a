import AttachmentModel
import Pipeline
import Reporting
import Synchronization

/// Checks every source of a feed, a bounded number at a time, and hands each report on.
struct CheckRun: Sendable {
  /// How one task ended.
  private enum Ending: Sendable {
    case feedEmpty
    case outputClosed
    case fault(PipelineError)
  }

  let pipeline: AttachmentPipeline
  let feed: SourceFeed
  /// The normal output; nothing goes on without it.
  let output: ReportOutlet
  /// What is written beside it.
  let report: ReportOutlet?
  /// What a source may spend; stated in reports of sources that are never fetched.
  let allowance: Duration

  /// Runs until the feed is empty, nobody reads the output any more, the machine fails, or the
  /// task is cancelled; what was finished by then has been handed on.
  ///
  /// - Parameter width: How many sources are in hand at once.
  /// - Returns: The counts of what was handed on, and the fault that ended the run, if one did.
  func run(width: Int) async -> (tally: ReportTotals, fault: PipelineError?) {
    let tally = TallyCounter()
    let fault = await withTaskCancellationHandler {
      await withTaskGroup(of: Ending.self) { group in
        for _ in 0..<width {
          group.addTask(executorPreference: pipeline.executor) { await work(tally) }
        }
        var fault: PipelineError?
        for await ending in group {
          if case .feedEmpty = ending { continue }
          if case .fault(let error) = ending, fault == nil { fault = error }
          stop()
          group.cancelAll()
        }
        return fault
      }
    } onCancel: {
      stop()
    }
    return (tally.value, fault)
  }

  private func stop() {
    feed.stop()
    output.stream.stop()
    report?.stream.stop()
  }

  private func work(_ tally: TallyCounter) async -> Ending {
    var last: Source?
    while let source = await feed.next(after: last) {
      last = source
      do {
        let answer = try await answer(on: source)
        // The source is not to blame, and the next one would fare no better.
        if let fault = answer.fault { return .fault(fault) }
        // What a cancelled run could not finish is no result.
        if Task.isCancelled, case .unobtainable(let error) = answer.verdict,
          error.code == "cancelled"
        {
          return .feedEmpty
        }
        let bytes = try output.render(answer)
        tally.count(answer.verdict)
        // A report that cannot be written any more is no reason to stop checking.
        if let report {
          _ = await report.stream.deliver(try report.render(answer), at: source.index)
        }
        guard await output.stream.deliver(bytes, at: source.index) else { return .outputClosed }
      } catch let error as PipelineError {
        return Task.isCancelled ? .feedEmpty : .fault(error)
      } catch {
        return .fault(PipelineError(.invalidConfiguration, "a report cannot be written: \(error)"))
      }
    }
    return .feedEmpty
  }

  private func answer(on source: Source) async throws(PipelineError) -> AttachmentReport {
    switch source.content {
    case .given(let text):
      ListRemedy.advising(in: await pipeline.check(AttachmentReference(source: text)))
    case .unusable(let text, let error):
      AttachmentReport(unobtainable: text, because: error, allowance: allowance)
    }
  }
}

extension AttachmentReport {
  /// Why there is no use in going on, where this report tells no more than that.
  var fault: PipelineError? {
    guard case .unobtainable(let error) = verdict,
      error.code == PipelineError.Code.libraryUnavailable.rawValue
    else { return nil }
    return PipelineError(.libraryUnavailable, error.message)
  }
}

/// Where reports go, and how one is written there.
struct ReportOutlet: Sendable {
  let stream: ReportStream
  /// A report with its line end.
  let render: @Sendable (AttachmentReport) throws -> [UInt8]
}

/// Counts verdicts from several tasks.
private final class TallyCounter: Sendable {
  private let tally = Mutex(ReportTotals())

  var value: ReportTotals {
    tally.withLock { $0 }
  }

  func count(_ verdict: Verdict) {
    tally.withLock { $0.count(verdict) }
  }
}

extension ReportTotals {
  /// What the process answers with.
  var status: ExitStatus {
    if unobtainable > 0 { return .unobtainable }
    return rejected > 0 ? .rejected : .success
  }
}
