/// An allowance of time that runs from the moment it is made, passed down to whatever can wait.
///
/// ```swift
/// let budget = TimeBudget(.seconds(30))
/// let patience = min(budget.remaining, .seconds(5))
/// ```
public struct TimeBudget: Sendable {
  /// How much time there is in all.
  public let allowance: Duration
  /// What the allowance is the rest of, where several budgets share a larger one.
  public let total: Duration?
  /// What tells the time.
  public let stopwatch: Stopwatch
  /// When the budget began to run, on its stopwatch.
  public let start: Duration

  /// A budget that begins to run now.
  public init(_ allowance: Duration, stopwatch: Stopwatch = .system) {
    self.init(allowance, of: nil, stopwatch: stopwatch, start: stopwatch.now)
  }

  /// A budget that began to run at a moment of its stopwatch; now, where there is none.
  ///
  /// - Parameters:
  ///   - allowance: How much time there is in all.
  ///   - total: What that is the rest of, if it is.
  ///   - stopwatch: What tells the time.
  ///   - start: When it began to run.
  public init(
    _ allowance: Duration,
    of total: Duration? = nil,
    stopwatch: Stopwatch = .system,
    since start: Duration?
  ) {
    self.init(allowance, of: total, stopwatch: stopwatch, start: start ?? stopwatch.now)
  }

  private init(_ allowance: Duration, of total: Duration?, stopwatch: Stopwatch, start: Duration) {
    self.allowance = allowance
    self.total = total
    self.stopwatch = stopwatch
    self.start = start
  }

  /// What messages call it, by what somebody set: `the budget of 30 s`.
  public var phrase: String {
    total.map { "the total budget of \($0.exactly) (--total-budget)" }
      ?? "the budget of \(allowance.exactly)"
  }

  /// How long the budget has been running.
  public var spent: Duration {
    stopwatch.now - start
  }

  /// How much is left, never less than zero.
  public var remaining: Duration {
    max(.zero, allowance - spent)
  }

  /// Whether nothing is left.
  public var isSpent: Bool {
    remaining == .zero
  }

  /// When the budget ends, on its stopwatch.
  public var end: Duration {
    start + allowance
  }

  /// The same budget with an interruption taken out: it ends that much later, and `spent` does
  /// not count it.
  ///
  /// - Parameter pause: Time that someone else's work took, such as a queue's.
  /// - Returns: A budget with the same allowance.
  public func excluding(_ pause: Duration) -> TimeBudget {
    TimeBudget(allowance, of: total, stopwatch: stopwatch, start: start + pause)
  }
}
