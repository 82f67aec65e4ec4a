import AttachmentModel
import Glibc
import TimeBudgets

/// What the attempts at one source took together, and what the next one can go on from.
struct AttemptHistory {
  /// What the next attempt's metrics begin with: the time of all before it, and the waits.
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
    self.metrics = metrics.carriedOver
  }

  /// Adds time in which nothing was under way.
  mutating func waited(_ time: Duration) {
    metrics.wait += time
    metrics.total += time
  }

  /// Takes an attempt in, and tells whether another is worth it, and after how long.
  ///
  /// - Parameters:
  ///   - result: What the attempt brought.
  ///   - rule: When another is worth it.
  ///   - budget: The time there is.
  /// - Returns: Nothing where this attempt was the last; its failure tells how many there were
  ///   before, or a wait that was asked for and is too long.
  mutating func delay(
    after result: inout Transfer.Result,
    by rule: RetryRule,
    within budget: TimeBudget
  ) -> Duration? {
    guard case .failure(let error) = result.download else { return nil }
    attempts += 1
    let now = Int64(time(nil))
    let delay = rule.delay(
      after: error,
      head: result.head,
      attempts: attempts,
      chance: .random(in: 0..<1),
      now: now
    )
    guard let delay, !Task.isCancelled else {
      if metrics.retries > 0 { result = result.failing(as: error.after(retries: metrics.retries)) }
      return nil
    }
    // A wait that the budget does not cover leads nowhere.
    guard delay < budget.remaining else {
      if let asked = result.head?.retryAfter(at: now), asked == delay {
        result = result.failing(as: error.asking(for: asked, of: budget))
      }
      return nil
    }
    if let last = error.metrics { metrics = last.carriedOver }
    metrics.retries += 1
    partial = result.partial
    return delay
  }
}
