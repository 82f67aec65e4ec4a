import AttachmentModel
import TimeBudgets

extension AttachmentReport {
  /// A report on something that cannot even be tried, such as a line that is no address.
  ///
  /// - Parameters:
  ///   - source: What to show for it.
  ///   - error: Why it cannot be tried.
  ///   - allowance: What it could have spent.
  public init(unobtainable source: String, because error: CheckError, allowance: Duration) {
    self.init(
      source: source,
      verdict: .unobtainable(error),
      evidence: AttachmentEvidence(reference: AttachmentReference(source: source)),
      ledger: BudgetLedger(allowance: allowance)
    )
  }
}
