import AttachmentModel
import Glibc
import TimeBudgets

/// What the attempts at one source took together, and what the next one can go on from.
///
/// Belongs to the task that makes the attempts.
final class AttemptHistory {
  /// All attempts but the last, and the waits.
  private(set) var metrics: TransferMetrics
  private(set) var partial: PartialBody?
  private var attempts = 0

  /// No attempt yet, once the slot was waited for.
  init(of slot: Downloader.Slot) {
    metrics = TransferMetrics(url: slot.url.shown)
    metrics.queue = slot.waited
  }

  /// No attempt yet since others ended in vain.
  init(after metrics: TransferMetrics) {
    self.metrics = metrics
  }

  /// Adds time in which nothing was under way.
  func waited(_ time: Duration) {
    metrics.wait += time
    metrics.total += time
  }

  /// Takes an attempt in, and tells whether another is worth it, and after how long.
  ///
  /// - Parameters:
  ///   - result: What the attempt brought.
  ///   - rule: When another is worth it.
  ///   - budget: The time there is.
  /// - Returns: Nothing where this attempt was the last.
  func delay(
    after result: Transfer.Result,
    by rule: RetryRule,
    within budget: TimeBudget
  ) -> Duration? {
    attempts += 1
    guard case .failure(let error) = result.download else { return nil }
    let delay = rule.delay(
      after: error,
      head: result.head,
      attempts: attempts,
      chance: .random(in: 0..<1),
      now: Int64(time(nil))
    )
    // A wait that the budget does not cover leads nowhere.
    guard let delay, delay < budget.remaining, !Task.isCancelled else { return nil }
    if let last = error.metrics { metrics = sum(last) }
    partial = result.partial
    return delay
  }

  /// What the last attempt brought, with the time of all.
  ///
  /// - Parameter result: The last attempt.
  /// - Returns: Its download.
  /// - Throws: Its error.
  func download(in result: Transfer.Result) throws(DownloadError) -> Download {
    switch result.download {
    case .success(var download):
      download.metrics = sum(download.metrics)
      return download
    case .failure(var error):
      error.metrics = error.metrics.map(sum)
      throw error
    }
  }

  private func sum(_ last: TransferMetrics) -> TransferMetrics {
    var all = last
    all.add(metrics, retries: attempts - 1)
    return all
  }
}
