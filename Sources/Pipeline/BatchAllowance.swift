import AttachmentModel
import TimeBudgets

/// What all sources of one pipeline may spend together.
struct BatchAllowance: Sendable {
  private let time: TimeBudget?
  private let bytes: ByteCount?

  /// An allowance that begins to run now.
  init(time: Duration?, bytes: ByteCount?) {
    self.time = time.map { TimeBudget($0) }
    self.bytes = bytes
  }

  /// A source's budget: its own allowance, or what is left for all of them.
  func budget(under terms: CheckTerms) -> TimeBudget {
    guard let time else { return TimeBudget(terms.allowance, since: terms.start) }
    let rest = time.remaining
    return rest < terms.allowance
      ? TimeBudget(rest, of: time.allowance, since: terms.start)
      : TimeBudget(terms.allowance, since: terms.start)
  }

  /// Why no further source may start, if so.
  ///
  /// - Parameter received: Body bytes fetched so far, over all sources.
  /// - Returns: The limit that is reached, in words.
  func refusal(received: ByteCount) -> String? {
    if let time, time.isSpent {
      return
        "the total budget of \(time.allowance.exactly) (--total-budget) is spent; this was not tried"
    }
    if let bytes, received >= bytes {
      return
        "\(received.exactly) were fetched of a total of \(bytes.exactly) (--total-bytes); this was not tried"
    }
    return nil
  }
}
