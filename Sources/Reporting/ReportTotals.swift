public import Pipeline

/// How many sources got which answer.
public struct ReportTotals: Sendable, Hashable {
  /// Sources that would be shown.
  public private(set) var deliverable = 0
  /// Sources that a policy refuses.
  public private(set) var rejected = 0
  /// Sources that could not be fetched or checked.
  public private(set) var unobtainable = 0

  /// Nothing counted yet.
  public init() {}

  /// All of them.
  public var total: Int {
    deliverable + rejected + unobtainable
  }

  /// Counts one answer.
  public mutating func count(_ verdict: Verdict) {
    switch verdict {
    case .deliverable: deliverable += 1
    case .rejected: rejected += 1
    case .unobtainable: unobtainable += 1
    }
  }

  /// `42 sources: 40 deliverable, 1 rejected, 1 unobtainable`.
  public var words: String {
    "\(total) \(total == 1 ? "source" : "sources"): \(deliverable) deliverable, "
      + "\(rejected) rejected, \(unobtainable) unobtainable"
  }
}
