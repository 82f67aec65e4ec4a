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
    /// Changed under the lock of `open` only, so that nobody joins a check that is given up.
    let callers = Atomic(1)

    init(_ terms: CheckTerms, _ task: Task<AttachmentReport, Never>) {
      self.terms = terms
      self.task = task
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
  /// The check is cancelled once every caller is; who asks afterwards starts a new one, and so
  /// does who would find too much of the allowance spent.
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
    var report = await withTaskCancellationHandler {
      await running.task.value
    } onCancel: {
      leave(key, running)
    }
    finish(key, running)
    report.source = reference.source
    report.evidence.reference = reference
    return report
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
      let task = Task(executorPreference: downloader.executor) { await check() }
      let running = Running(terms, task)
      open[key] = running
      return running
    }
  }

  /// A caller gives up; the last one ends the check.
  private func leave(_ key: Key, _ running: Running) {
    let isAbandoned = open.withLock { open in
      let isLast = running.callers.wrappingSubtract(1, ordering: .relaxed).newValue == 0
      if isLast { Self.close(key, running, &open) }
      return isLast
    }
    if isAbandoned { running.task.cancel() }
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
