/// What a metric is called, what it tells, and what it is told apart by.
public struct MetricName: Sendable, Hashable {
  /// The name with its unit, as in `affix_requests_total`.
  public let name: String
  /// What it tells, in one line.
  public let help: String
  /// The names of its labels, whose values come from closed sets.
  public let labels: [String]

  /// A name that Prometheus accepts.
  ///
  /// - Parameters:
  ///   - name: Letters, digits and underscores; counters end in `_total`.
  ///   - help: One line.
  ///   - labels: In the order in which values are given.
  public init(_ name: String, _ help: String, labels: [String] = []) {
    self.name = name
    self.help = help
    self.labels = labels
  }
}
