package import AttachmentModel

extension TransferStateMachine {
  /// The limits that hold for this transfer.
  package struct Limits {
    package var attempt: Duration?
    package var connect: Duration
    package var firstByte: Duration
    package var stall: Duration
    package var maximumRedirects: Int
    package var size: ByteCount
    /// The end of the whole budget, on the stopwatch, and the budget's allowance for messages.
    package var budgetEnd: Duration
    package var allowance: Duration
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
      allowance: Duration,
      isDeadlineAware: Bool = false
    ) {
      self.attempt = attempt
      self.connect = connect
      self.firstByte = firstByte
      self.stall = stall
      self.maximumRedirects = maximumRedirects
      self.size = size
      self.budgetEnd = budgetEnd
      self.allowance = allowance
      self.isDeadlineAware = isDeadlineAware
    }
  }
}
