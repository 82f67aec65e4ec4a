import AttachmentModel
import Downloading
import Synchronization
import TimeBudgets

/// Lets callers who ask for the same address at the same time share one check.
final class SharedChecks: Sendable {
  private struct Key: Hashable {
    let address: String
    let terms: CheckTerms
    let typeHint: String?
    let filenameExtension: String?

    /// Addresses tell nearly all checks apart; the rest is compared where they meet.
    func hash(into hasher: inout Hasher) {
      hasher.combine(address)
    }
  }

  private struct Running {
    let terms: CheckTerms
    let task: Task<AttachmentReport, Never>
    var callers = 1
  }

  private struct State {
    var running: [UInt64: Running] = [:]
    /// The youngest check of each kind, which others may join.
    var open: [Key: UInt64] = [:]
    var lastNumber: UInt64 = 0
  }

  private let downloader: Downloader
  private let state = Mutex(State())

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
    let key = Key(
      address: address.text,
      terms: terms.timeless,
      typeHint: reference.typeHint,
      filenameExtension: reference.filenameExtension
    )
    let (number, task) = join(key, terms, check)
    var report = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      leave(key, number)
    }
    finish(key, number)
    report.source = reference.source
    report.evidence.reference = reference
    return report
  }

  private func join(
    _ key: Key,
    _ terms: CheckTerms,
    _ check: @escaping @Sendable () async -> AttachmentReport
  ) -> (number: UInt64, task: Task<AttachmentReport, Never>) {
    state.withLock { state in
      if let number = state.open[key], let running = state.running[number],
        running.terms.letsJoin(at: Stopwatch.system.now)
      {
        state.running[number]?.callers += 1
        return (number, running.task)
      }
      state.lastNumber += 1
      let running = Running(
        terms: terms,
        task: Task(executorPreference: downloader.executor) { await check() }
      )
      state.running[state.lastNumber] = running
      state.open[key] = state.lastNumber
      return (state.lastNumber, running.task)
    }
  }

  private func leave(_ key: Key, _ number: UInt64) {
    let abandoned = state.withLock { state -> Task<AttachmentReport, Never>? in
      guard let running = state.running[number] else { return nil }
      guard running.callers == 1 else {
        state.running[number]?.callers -= 1
        return nil
      }
      close(key, number, &state)
      return running.task
    }
    abandoned?.cancel()
  }

  private func finish(_ key: Key, _ number: UInt64) {
    state.withLock { close(key, number, &$0) }
  }

  private func close(_ key: Key, _ number: UInt64, _ state: inout State) {
    state.running[number] = nil
    if state.open[key] == number { state.open[key] = nil }
  }
}
