import AttachmentModel
import Downloading
import PolicyChecking
import TimeBudgets

/// A report in the making: evidence and time as they come in.
struct ReportDraft: Sendable {
  let terms: CheckTerms
  var budget: TimeBudget
  var evidence: AttachmentEvidence
  var ledger: BudgetLedger
  /// What the file is hashed to, where that is known already.
  @Indirect var sha256: String? = nil
  @Indirect var file: AttachmentReport.StoredFile? = nil
  var attachment: AttachmentFile?
  var previews: [AttachmentReport.PreviewResult] = []
  @Indirect var repair: AttachmentReport.Repair? = nil
  @Indirect var thumbnail: Preview? = nil
  /// Why the attachment's own pixels were not looked at, where they should have been and the time
  /// did not suffice.
  var unseenPixels: String?

  init(_ reference: AttachmentReference, under terms: CheckTerms) {
    self.terms = terms
    budget = TimeBudget(terms.allowance, since: terms.start)
    evidence = AttachmentEvidence(reference: reference)
    ledger = terms.ledger(over: terms.allowance)
  }

  /// The budget, where it runs already while a slot is waited for.
  var runningBudget: TimeBudget? {
    terms.start.map { _ in budget }
  }

  /// The budget begins to run, now that there is a slot.
  mutating func begin(_ budget: TimeBudget) {
    self.budget = budget
    ledger = terms.ledger(over: budget.allowance)
  }

  /// Takes in how a transfer went.
  mutating func record(_ metrics: TransferMetrics?) {
    guard let metrics else { return }
    evidence.transfer = metrics
    let phases: [(BudgetStage, Duration)] = [
      (.queue, metrics.queue), (.redirect, metrics.redirect), (.nameLookup, metrics.nameLookup),
      (.connect, metrics.connect), (.tls, metrics.tls), (.firstByte, metrics.firstByte),
      (.body, metrics.body), (.wait, metrics.wait),
    ]
    for (stage, duration) in phases { ledger.record(duration, for: stage) }
  }

  /// Takes a wait for a worker out of the budget, unless it is charged.
  mutating func recordWait(_ waited: Duration) {
    ledger.record(waited, for: .queue)
    if terms.start == nil { budget = budget.excluding(waited) }
  }

  /// Runs a stage and writes its time into the ledger.
  mutating func timed<Result, Failure>(
    _ stage: BudgetStage,
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = budget.stopwatch.now
    defer { ledger.record(budget.stopwatch.now - start, for: stage) }
    return try work()
  }

  /// The report of a source that the policies have judged.
  ///
  /// What they found stands; but pixels that nobody looked at may be damaged.
  func judged(_ policies: [AttachmentReport.PolicyResult]) -> AttachmentReport {
    let isRejected = policies.contains { !$0.findings.violations.isEmpty }
    if isRejected { return report(.rejected, policies) }
    if let unseenPixels {
      return unobtainable(DownloadError.Code.budgetSpent.rawValue, unseenPixels)
    }
    return report(.deliverable, policies)
  }

  /// The report of a source that could not be fetched or checked.
  func unobtainable(_ code: String, _ message: String) -> AttachmentReport {
    report(.unobtainable(CheckError(code: code, message: message)), [])
  }

  private func report(
    _ verdict: Verdict,
    _ policies: [AttachmentReport.PolicyResult]
  ) -> AttachmentReport {
    var ledger = ledger
    // What no stage claims went into handing over between threads; so the entries add up.
    ledger.record(budget.spent - ledger.spent, for: .wait)
    return AttachmentReport(
      source: evidence.reference.source,
      verdict: verdict,
      policies: policies,
      evidence: evidence,
      file: file,
      attachment: attachment,
      previews: previews,
      repair: repair,
      thumbnail: thumbnail,
      ledger: ledger
    )
  }
}
