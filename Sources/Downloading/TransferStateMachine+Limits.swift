package import AttachmentModel
package import TimeBudgets

extension TransferStateMachine {
  /// The limits that hold for this transfer.
  package struct Limits {
    package var attempt: Duration?
    package var connect: Duration
    package var firstByte: Duration
    package var stall: Duration
    package var maximumRedirects: Int
    package var size: ByteCount
    /// The end of the whole budget, on the loop's stopwatch.
    package var budgetEnd: Duration
    /// The budget itself, for messages and forecasts.
    package var budget: TimeBudget
    /// Whether a transfer ends as soon as its rate cannot make the budget.
    package var isDeadlineAware: Bool

    package init(
      attempt: Duration?,
      connect: Duration,
      firstByte: Duration,
      stall: Duration,
      maximumRedirects: Int,
      size: ByteCount,
      budgetEnd: Duration,
      budget: TimeBudget,
      isDeadlineAware: Bool = false
    ) {
      self.attempt = attempt
      self.connect = connect
      self.firstByte = firstByte
      self.stall = stall
      self.maximumRedirects = maximumRedirects
      self.size = size
      self.budgetEnd = budgetEnd
      self.budget = budget
      self.isDeadlineAware = isDeadlineAware
    }
  }
}
