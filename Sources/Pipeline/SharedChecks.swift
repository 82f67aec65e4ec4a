import AttachmentModel
import Downloading
import Synchronization
import TimeBudgets

/// Lets callers who ask for the same address at the same time share one check.
final class SharedChecks: Sendable {
  /// What makes two checks the same; an object, since it is handed around a lot.
  private final class Key: Hashable, Sendable {
    let address: String
    let terms: CheckTerms
    let typeHint: String?
    let filenameExtension: String?

    init(_ reference: AttachmentReference, at address: RequestURL, under terms: CheckTerms) {
      self.address = address.text
      self.terms = terms.timeless
      typeHint = reference.typeHint
      filenameExtension = reference.filenameExtension
    }

    static func == (left: Key, right: Key) -> Bool {
      left === right
        || left.address == right.address && left.terms == right.terms
          && left.typeHint == right.typeHint && left.filenameExtension == right.filenameExtension
    }

    /// Addresses tell nearly all checks apart; the rest is compared where they meet.
    func hash(into hasher: inout Hasher) {
      hasher.combine(address)
    }
  }

  /// A check under way.
  private final class Running: Sendable {
    let terms: CheckTerms
    let task: Task<AttachmentReport, Never>
    /// What the task will come to, for those who may not wait that long.
    let outcome: Promise<AttachmentReport>
    /// Changed under the lock of `open` only, so that nobody joins a check that is given up.
    let callers = Atomic(1)

    init(
      _ terms: CheckTerms,
      on executor: any TaskExecutor,
      _ check: @escaping @Sendable () async -> AttachmentReport
    ) {
      self.terms = terms
      let outcome = Promise<AttachmentReport>()
      self.outcome = outcome
      task = Task(executorPreference: executor) {
        let report = await check()
        outcome.fulfil(report)
        return report
      }
    }
  }

  private let downloader: Downloader
  /// The youngest check of each kind, which others may join.
  private let open = Mutex<[Key: Running]>([:])

  /// - Parameter downloader: What the checks wait for, and so where they run.
  init(waitingFor downloader: Downloader) {
    self.downloader = downloader
  }

  /// Checks, or joins a check that is under way.
  ///
  /// Who is cancelled waits no longer, unless nobody else does: then the check is cancelled, which
  /// takes milliseconds. Who asks afterwards starts a new one, and so does who would find too much
  /// of the allowance spent.
  ///
  /// - Parameters:
  ///   - reference: What to check.
  ///   - address: Its address, in the one form that all spellings share.
  ///   - terms: Its terms; only who names the same ones joins.
  ///   - check: Does the check.
  /// - Returns: A report on this reference, whoever's check it was.
  func report(
    on reference: AttachmentReference,
    at address: RequestURL,
    under terms: CheckTerms,
    _ check: @escaping @Sendable () async -> AttachmentReport
  ) async -> AttachmentReport {
    let key = Key(reference, at: address, under: terms)
    let running = join(key, terms, check)
    guard var report = await outcome(of: running, key) else {
      return ReportDraft(reference, under: terms)
        .unobtainable(DownloadError.Code.cancelled.rawValue, "the check was cancelled")
    }
    report.source = reference.source
    report.evidence.reference = reference
    return report
  }

  /// Waits for the report; nothing where the caller gives up, and others go on waiting.
  private func outcome(of running: Running, _ key: Key) async -> AttachmentReport? {
    if let report = await running.outcome.value() {
      finish(key, running)
      return report
    }
    guard leave(key, running) else { return nil }
    running.task.cancel()
    return await running.task.value
  }

  private func join(
    _ key: Key,
    _ terms: CheckTerms,
    _ check: @escaping @Sendable () async -> AttachmentReport
  ) -> Running {
    open.withLock { open in
      if let running = open[key], running.terms.letsJoin(at: Stopwatch.system.now) {
        running.callers.wrappingAdd(1, ordering: .relaxed)
        return running
      }
      let running = Running(terms, on: downloader.executor, check)
      open[key] = running
      return running
    }
  }

  /// A caller gives up; tells whether it was the last one.
  private func leave(_ key: Key, _ running: Running) -> Bool {
    open.withLock { open in
      let isLast = running.callers.wrappingSubtract(1, ordering: .relaxed).newValue == 0
      if isLast { Self.close(key, running, &open) }
      return isLast
    }
  }

  private func finish(_ key: Key, _ running: Running) {
    open.withLock { Self.close(key, running, &$0) }
  }

  /// Lets nobody join any more.
  private static func close(_ key: Key, _ running: Running, _ open: inout [Key: Running]) {
    guard let last = open.removeValue(forKey: key), last !== running else { return }
    open[key] = last
  }
}
