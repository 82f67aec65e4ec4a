import Synchronization

/// Every metric of one process, and their text for Prometheus.
///
/// ```swift
/// let registry = MetricsRegistry()
/// let checks = registry.counter(MetricName("checks_total", "Checks done.", labels: ["verdict"]))
/// checks.add(1, "deliverable")
/// let text = registry.text()
/// ```
public final class MetricsRegistry: Sendable {
  private let families = Mutex<[any MetricFamily]>([])

  /// What `text()` must be served as.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// A registry without metrics.
  public init() {}

  /// A new count.
  public func counter(_ name: MetricName) -> Counter {
    add(Counter(name))
  }

  /// A new number that rises and falls.
  public func gauge(_ name: MetricName) -> Gauge {
    add(Gauge(name))
  }

  /// A new histogram.
  ///
  /// - Parameters:
  ///   - name: With the unit of what is counted.
  ///   - bounds: The upper bounds of the buckets, without the last one, which has none.
  /// - Returns: An empty histogram.
  public func histogram(_ name: MetricName, bounds: [Double]) -> Histogram {
    add(Histogram(name, bounds: bounds))
  }

  /// A number that is read when the text is written.
  ///
  /// - Parameters:
  ///   - name: Without labels.
  ///   - read: Tells the number, or nothing where it is not known.
  public func observe(_ name: MetricName, _ read: @escaping @Sendable () -> Double?) {
    _ = add(ObservedNumber(name, type: "gauge", read))
  }

  /// A count that is read when the text is written.
  ///
  /// - Parameters:
  ///   - name: Without labels; it ends in `_total`.
  ///   - read: Tells the count, or nothing where it is not known.
  public func observeCount(_ name: MetricName, _ read: @escaping @Sendable () -> Double?) {
    _ = add(ObservedNumber(name, type: "counter", read))
  }

  /// Counts that are read when the text is written, one for each value of a label.
  ///
  /// - Parameters:
  ///   - name: With one label; it ends in `_total`.
  ///   - values: Every value that the label can have, so that a count begins at 0.
  ///   - read: Tells the counts by the label's value; what is left out is 0.
  public func observeCounts(
    _ name: MetricName,
    values: [String],
    _ read: @escaping @Sendable () -> [String: Int]
  ) {
    _ = add(ObservedCounts(name, values: values, read))
  }

  /// All metrics in Prometheus' text format, version 0.0.4.
  public func text() -> String {
    families.withLock { $0 }.sorted { $0.name.name < $1.name.name }.map { family in
      let name = family.name.name
      let head = "# HELP \(name) \(Self.escaped(family.name.help))\n# TYPE \(name) \(family.type)\n"
      return head + family.samples.map { $0.line + "\n" }.joined()
    }.joined()
  }

  private func add<Family: MetricFamily>(_ family: Family) -> Family {
    families.withLock { $0.append(family) }
    return family
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }
}

/// One metric with all its label values.
protocol MetricFamily: Sendable {
  var name: MetricName { get }
  /// Prometheus' word for its kind.
  var type: String { get }
  var samples: [MetricSample] { get }
}

/// One number of a family.
struct MetricSample {
  let name: String
  let labels: [(name: String, value: String)]
  let value: Double

  var line: String {
    let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    return name + (pairs.isEmpty ? "" : "{\(pairs)}") + " " + Self.text(value)
  }

  /// The number as short as it can be written exactly.
  static func text(_ value: Double) -> String {
    if value == .infinity { return "+Inf" }
    if let whole = Int64(exactly: value) { return String(whole) }
    return "\(value)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
