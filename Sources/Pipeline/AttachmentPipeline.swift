public import AttachmentModel
public import DecoderSandbox
import Downloading
import PolicyChecking
import Synchronization
import TimeBudgets

/// The straight line: fetch, inspect, examine, judge, report.
///
/// ```swift
/// let pipeline = try AttachmentPipeline(configuration)
/// let report = await pipeline.check(AttachmentReference(source: "https://example.com/a.jpg"))
/// await pipeline.close()
/// ```
public final class AttachmentPipeline: Sendable {
  let configuration: Configuration
  let directory: AttachmentDirectory
  private let downloader: Downloader
  private let batch: BatchAllowance
  private let shared: SharedChecks
  private let assessor: AttachmentAssessor
  private let workers: WorkerThreads
  private let examiner: any FileExamining
  private let removal = Mutex(())

  /// A pipeline that examines files in this process, and so decodes JPEG, PNG and GIF alone.
  ///
  /// A `CagedExaminer` decodes more, and keeps a hostile file from doing harm.
  ///
  /// - Throws: `invalid-configuration`, `storage-unavailable`, `library-unavailable`.
  public convenience init(_ configuration: Configuration) throws(PipelineError) {
    let formats = configuration.terms.decodesPixels ? UncagedExaminer.hardenedFormats : []
    let examiner: UncagedExaminer
    do throws(ExaminationError) {
      examiner = try UncagedExaminer(decoding: formats)
    } catch {
      throw PipelineError(.libraryUnavailable, error.message)
    }
    try self.init(configuration, examiner: examiner)
  }

  /// A pipeline with its attachment directory, its transfer loops and its workers.
  ///
  /// - Parameters:
  ///   - configuration: How to check.
  ///   - examiner: What looks at the files; whoever made it ends it, after `close()`.
  /// - Throws: `invalid-configuration`, `storage-unavailable`.
  public init(
    _ configuration: Configuration,
    examiner: any FileExamining
  ) throws(PipelineError) {
    if let problem = configuration.validate() {
      throw PipelineError(.invalidConfiguration, problem)
    }
    self.configuration = configuration
    do throws(DownloadError) {
      directory = try AttachmentDirectory(
        in: try configuration.makeStorageFolder(),
        quota: configuration.quota
      )
      downloader = try Downloader(
        configuration.downloading,
        into: directory,
        loops: configuration.workers
      )
    } catch {
      throw PipelineError(.storageUnavailable, error.message)
    }
    shared = SharedChecks(waitingFor: downloader)
    batch = BatchAllowance(time: configuration.totalAllowance, bytes: configuration.totalBytes)
    self.examiner = examiner
    assessor = AttachmentAssessor(configuration, directory: directory, examiner: examiner)
    workers = try WorkerThreads(
      count: configuration.workers * examiner.callersPerWorker
    )
  }

  /// Body bytes received so far over all sources, for a progress bar.
  public var receivedBytes: ByteCount {
    downloader.receivedBytes
  }

  /// What went wrong with the cache itself, in one line; no source fails for it.
  public var cacheNotice: String? {
    downloader.cacheNotice
  }

  /// How many of the threads that inspect and decode, or wait for children that do, have work.
  public var busyWorkers: Int {
    workers.busy
  }

  /// How many such threads there are.
  public var workerCount: Int {
    workers.count
  }

  /// What the examiner's children are doing, where it has any.
  public var examinerActivity: ExaminerActivity {
    examiner.activity
  }

  /// Where a task that does little but start checks one after the other runs best: where what it
  /// waits for ends.
  ///
  /// Each call may name another; a task's work there must not block.
  public var executor: any TaskExecutor {
    downloader.executor
  }

  /// Checks one source, and never throws: what goes wrong is in the report.
  ///
  /// Waits for a slot first, so callers may start as many as they like. Cancelling the task ends
  /// the transfer and reports `cancelled`. Callers who ask for one address under the same terms at
  /// the same time share one transfer. Nothing runs on the caller's actor.
  ///
  /// - Parameters:
  ///   - reference: What to check.
  ///   - terms: What to find out, and in what time; they must be valid. Default: the
  ///     configuration's.
  /// - Returns: The verdict with its reasons.
  @concurrent public func check(
    _ reference: AttachmentReference,
    under terms: CheckTerms? = nil
  ) async -> AttachmentReport {
    let terms = terms ?? configuration.terms
    switch reference.location {
    case .remote(let address):
      do throws(DownloadError) {
        let url = try RequestURL(address)
        return await shared.report(on: reference, at: url, under: terms) { [self] in
          await checkRemote(reference, url, terms)
        }
      } catch {
        return ReportDraft(reference, under: terms)
          .unobtainable(error.code.rawValue, error.message)
      }
    case .local(let path):
      return await checkLocal(reference, terms) { [directory] () throws(DownloadError) in
        try directory.adopt(path)
      }
    }
  }

  /// Checks bytes that somebody sent; otherwise as `check(_:under:)`.
  ///
  /// - Parameters:
  ///   - upload: What `makeUpload()` received; it is removed when it is judged.
  ///   - reference: What the sender says that it is.
  ///   - terms: What to find out, and in what time; default: the configuration's.
  /// - Returns: The verdict with its reasons.
  @concurrent public func check(
    _ upload: AttachmentFile,
    as reference: AttachmentReference,
    under terms: CheckTerms? = nil
  ) async -> AttachmentReport {
    await checkLocal(reference, terms ?? configuration.terms) { upload }
  }

  /// Ends all transfers and removes the attachment directory; the pipeline is then of no use.
  @concurrent public func close() async {
    await downloader.stop()
    workers.stop()
    removeDirectory()
  }

  /// Removes the attachment directory at once, for a process that is about to end and cannot wait
  /// for a decoder; what is under way ends as `cancelled`.
  ///
  /// Does not replace `close()`. Blocks for as long as removing files takes.
  public func abandon() {
    removeDirectory()
  }

  /// Whoever comes second waits for the first: the process may end as soon as it comes back.
  private func removeDirectory() {
    removal.withLock { _ in directory.remove() }
  }

  private func checkRemote(
    _ reference: AttachmentReference,
    _ url: RequestURL,
    _ terms: CheckTerms
  ) async -> AttachmentReport {
    var draft = ReportDraft(reference, under: terms)
    do throws(DownloadError) {
      let slot = try await downloader.slot(for: url, within: draft.runningBudget)
      draft.begin(batch.budget(under: terms))
      if let refusal = batch.refusal(received: receivedBytes) {
        return draft.unobtainable(DownloadError.Code.budgetSpent.rawValue, refusal)
      }
      let download = try await downloader.download(
        in: slot,
        within: draft.budget,
        screening: MediaScreening(terms).rules,
        keeping: assessor.bodyRules(under: terms)
      )
      draft.record(download.metrics)
      draft.sha256 = download.sha256
      if let report = assessor.settle(download.ending, draft) { return report }
      return await assess(draft) { download.ending }
    } catch {
      draft.record(error.metrics)
      return draft.unobtainable(error.code.rawValue, error.message)
    }
  }

  private func checkLocal(
    _ reference: AttachmentReference,
    _ terms: CheckTerms,
    _ open: @escaping @Sendable () throws(DownloadError) -> AttachmentFile
  ) async -> AttachmentReport {
    var draft = ReportDraft(reference, under: terms)
    draft.begin(batch.budget(under: terms))
    if let refusal = batch.refusal(received: receivedBytes) {
      return draft.unobtainable(DownloadError.Code.budgetSpent.rawValue, refusal)
    }
    return await assess(draft) { () throws(DownloadError) in .completed(try open()) }
  }

  /// The part of the line that blocks: it runs on a worker, whose wait is reported, not charged.
  private func assess(
    _ draft: ReportDraft,
    _ obtain: @escaping @Sendable () throws(DownloadError) -> Download.Ending
  ) async -> AttachmentReport {
    await workers.run { [assessor] waited in
      var draft = draft
      draft.recordWait(waited)
      do throws(DownloadError) {
        return assessor.assess(try obtain(), draft)
      } catch {
        return draft.unobtainable(error.code.rawValue, error.message)
      }
    }
  }
}
