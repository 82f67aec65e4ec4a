/// A stage of the straight line that time can be spent in; raw values are what reports print.
public enum BudgetStage: String, Sendable, Hashable, Codable, CaseIterable {
  /// Waiting for a slot or a worker; charged only where somebody waits for the answer.
  case queue
  /// Every hop before the last.
  case redirect
  /// Name look-up.
  case nameLookup = "name-lookup"
  /// TCP.
  case connect
  /// TLS handshake.
  case tls
  /// From the request to the answer's first byte.
  case firstByte = "first-byte"
  /// From the first byte to the last.
  case body
  /// Between attempts, and handing over between threads.
  case wait
  /// Finding out what the bytes are.
  case inspect
  /// Decoding and shrinking pixels.
  case decode
  /// Holding the evidence against the policies.
  case judge
  /// Encoding previews.
  case preview

  /// Whether time in this stage counts against every allowance.
  public var isCharged: Bool {
    self != .queue
  }
}

/// One stage's share.
public struct BudgetEntry: Sendable, Hashable {
  /// Where the time went.
  public let stage: BudgetStage
  /// How much went there.
  public let duration: Duration
}

/// Who spent what: the stages that a source passed through, in order, with their time.
public struct BudgetLedger: Sendable, Hashable {
  /// What there was to spend.
  public let allowance: Duration
  /// Whether time in the queue counts against the allowance.
  public let chargesQueue: Bool
  /// One entry a stage, in the order in which stages were first entered.
  public private(set) var entries: [BudgetEntry] = []
  private var uncharged: Duration = .zero

  /// An empty ledger.
  ///
  /// - Parameters:
  ///   - allowance: What there is to spend.
  ///   - chargesQueue: Whether time in the queue counts against it; default: it does not.
  public init(allowance: Duration, chargesQueue: Bool = false) {
    self.allowance = allowance
    self.chargesQueue = chargesQueue
  }

  /// What all stages took together, as far as it is charged.
  public var spent: Duration {
    entries.reduce(.zero) { $0 + $1.duration } - uncharged
  }

  /// What went into one stage.
  public func duration(of stage: BudgetStage) -> Duration {
    entries.first { $0.stage == stage }?.duration ?? .zero
  }

  /// Adds time to a stage; nothing is written for no time.
  ///
  /// - Parameters:
  ///   - duration: How much.
  ///   - stage: Where it went.
  ///   - isCharged: Whether it counts against the allowance, if the stage does; default: it does.
  public mutating func record(
    _ duration: Duration,
    for stage: BudgetStage,
    isCharged: Bool = true
  ) {
    guard duration > .zero else { return }
    if !isCharged || !(stage.isCharged || chargesQueue) { uncharged += duration }
    if let index = entries.firstIndex(where: { $0.stage == stage }) {
      entries[index] = BudgetEntry(stage: stage, duration: entries[index].duration + duration)
    } else {
      entries.append(BudgetEntry(stage: stage, duration: duration))
    }
  }
}
