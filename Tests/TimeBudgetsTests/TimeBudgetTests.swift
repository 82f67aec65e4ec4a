import TestSupport
import Testing
import TimeBudgets

@Suite(.timeLimit(.minutes(1)))
struct TimeBudgetTests {
  @Test func `a budget runs out and never below zero`() {
    let clock = ManualStopwatch()
    clock.advance(by: .seconds(100))
    let budget = TimeBudget(.seconds(30), stopwatch: clock.stopwatch)
    #expect(budget.remaining == .seconds(30))
    clock.advance(by: .seconds(29))
    #expect(budget.remaining == .seconds(1))
    #expect(!budget.isSpent)
    clock.advance(by: .seconds(1))
    #expect(budget.isSpent)
    clock.advance(by: .seconds(1))
    #expect(budget.remaining == .zero)
    #expect(budget.spent == .seconds(31))
  }

  @Test func `a pause is not charged`() {
    let clock = ManualStopwatch()
    let budget = TimeBudget(.seconds(30), stopwatch: clock.stopwatch)
    clock.advance(by: .seconds(12))
    let resumed = budget.excluding(.seconds(10))
    #expect(resumed.spent == .seconds(2))
    #expect(resumed.remaining == .seconds(28))
    #expect(resumed.allowance == .seconds(30))
  }

  @Test func `messages name what somebody set, and not what was left of it`() {
    let own = TimeBudget(.seconds(30), since: .zero)
    #expect(own.phrase == "the budget of 30 s")
    let rest = TimeBudget(.microseconds(2_999_219), of: .seconds(3), since: .zero)
    #expect(rest.phrase == "the total budget of 3 s (--total-budget)")
    #expect(rest.excluding(.seconds(1)).phrase == rest.phrase)
    #expect(rest.allowance == .microseconds(2_999_219))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct BudgetLedgerTests {
  @Test func `stages keep the order in which they were entered and add up`() {
    var ledger = BudgetLedger(allowance: .seconds(30))
    ledger.record(.milliseconds(5), for: .connect)
    ledger.record(.milliseconds(7), for: .body)
    ledger.record(.milliseconds(5), for: .connect)
    #expect(ledger.entries.map(\.stage) == [.connect, .body])
    #expect(ledger.entries.map(\.duration) == [.milliseconds(10), .milliseconds(7)])
    #expect(ledger.spent == .milliseconds(17))
  }

  @Test func `waiting in line is reported, not charged`() {
    var ledger = BudgetLedger(allowance: .seconds(30))
    ledger.record(.seconds(9), for: .queue)
    ledger.record(.seconds(1), for: .body)
    #expect(ledger.spent == .seconds(1))
    #expect(ledger.entries.count == 2)
  }

  @Test func `waiting in line is charged where somebody waits for the answer`() {
    var ledger = BudgetLedger(allowance: .seconds(30), chargesQueue: true)
    ledger.record(.seconds(9), for: .queue)
    ledger.record(.seconds(1), for: .body)
    #expect(ledger.spent == .seconds(10))
  }

  @Test(arguments: [true, false])
  func `time that is not charged is an entry, and not spent`(chargesQueue: Bool) {
    var ledger = BudgetLedger(allowance: .seconds(30), chargesQueue: chargesQueue)
    ledger.record(.seconds(9), for: .queue, isCharged: false)
    ledger.record(.seconds(2), for: .queue)
    ledger.record(.seconds(1), for: .body)
    #expect(ledger.duration(of: .queue) == .seconds(11))
    #expect(ledger.spent == .seconds(chargesQueue ? 3 : 1))
  }

  @Test func `no time leaves no entry`() {
    var ledger = BudgetLedger(allowance: .seconds(30))
    ledger.record(.zero, for: .tls)
    #expect(ledger.entries.isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct DurationTextTests {
  @Test(
    arguments: [
      ("500ms", .milliseconds(500)), ("30s", .seconds(30)), ("2m", .seconds(120)),
      ("1.5s", .milliseconds(1_500)), ("1h", .seconds(3_600)), ("0s", .zero),
    ] as [(String, Duration)]
  )
  func `a duration is read with its unit`(text: String, duration: Duration) {
    #expect(Duration(text) == duration)
  }

  @Test(arguments: ["", "5", "s", "-1s", "1 s", "1e3s", ".5s", "1d", "99999999999s"])
  func `what is no duration is refused`(text: String) {
    #expect(Duration(text) == nil)
  }

  @Test func `milliseconds have three decimals`() {
    #expect(Duration.nanoseconds(1_234_567).milliseconds == 1.235)
    #expect(Duration.zero.milliseconds == 0)
  }

  @Test(
    arguments: [
      (.milliseconds(940), "940 ms"), (.milliseconds(2_310), "2.31 s"),
      (.seconds(250), "4 min 10 s"), (.zero, "0 ms"), (.nanoseconds(1), "0.1 ms"),
      (.microseconds(140), "0.1 ms"), (.microseconds(449), "0.4 ms"),
      (.microseconds(940), "0.9 ms"),
      (.microseconds(960), "1 ms"), (.microseconds(1_400), "1 ms"),
      (.microseconds(999_400), "999 ms"), (.microseconds(999_600), "1.00 s"),
      (.milliseconds(59_990), "59.99 s"), (.milliseconds(59_996), "1 min 0 s"),
    ] as [(Duration, String)]
  )
  func `a time for people is short, and none only where there is none`(
    duration: Duration,
    text: String
  ) {
    #expect(duration.rounded == text)
  }

  @Test(
    arguments: [
      (.zero, "0 ms"), (.nanoseconds(1), "0.001 ms"), (.microseconds(1_500), "1.5 ms"),
      (.milliseconds(1), "1 ms"), (.milliseconds(999), "999 ms"), (.milliseconds(1_001), "1001 ms"),
      (.seconds(1), "1 s"), (.seconds(3_600), "3600 s"), (.seconds(-1), "-1 s"),
      (.seconds(Int64.max), "9.223372036854776e+21 ms"),
    ] as [(Duration, String)]
  )
  func `a limit is told as it was set`(duration: Duration, text: String) {
    #expect(duration.exactly == text)
  }
}
