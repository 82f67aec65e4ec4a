import Synchronization

/// A count that only grows, by label values.
///
/// At most `mostSeries` combinations of values are told apart; what comes beyond is counted under
/// `other`, so that no caller can make a time series of each request.
public final class Counter: Sendable, MetricFamily {
  /// What it is called.
  public let name: MetricName
  private let series: LabeledSeries<Double>

  init(_ name: MetricName) {
    self.name = name
    series = LabeledSeries(labels: name.labels, initial: 0)
  }

  /// Adds to a count.
  ///
  /// - Parameters:
  ///   - amount: Not negative; default: 1.
  ///   - values: One a label, in the order of the name's.
  public func add(_ amount: Double = 1, _ values: String...) {
    guard amount >= 0 else { return }
    series.update(values) { $0 += amount }
  }

  /// What was counted under these values so far.
  public func value(_ values: String...) -> Double {
    series.value(values) ?? 0
  }

  var type: String { "counter" }

  var samples: [MetricSample] {
    series.all.map { MetricSample(name: name.name, labels: $0.labels, value: $0.value) }
  }
}

/// A number that rises and falls, by label values.
public final class Gauge: Sendable, MetricFamily {
  /// What it is called.
  public let name: MetricName
  private let series: LabeledSeries<Double>

  init(_ name: MetricName) {
    self.name = name
    series = LabeledSeries(labels: name.labels, initial: 0)
  }

  /// Sets the number.
  public func set(_ value: Double, _ values: String...) {
    series.update(values) { $0 = value }
  }

  /// Adds to the number, or takes from it.
  public func add(_ amount: Double, _ values: String...) {
    series.update(values) { $0 += amount }
  }

  /// What it is now.
  public func value(_ values: String...) -> Double {
    series.value(values) ?? 0
  }

  var type: String { "gauge" }

  var samples: [MetricSample] {
    series.all.map { MetricSample(name: name.name, labels: $0.labels, value: $0.value) }
  }
}

/// A number that somebody else keeps, read whenever it is asked for.
final class ObservedNumber: Sendable, MetricFamily {
  let name: MetricName
  let type: String
  private let read: @Sendable () -> Double?

  init(_ name: MetricName, type: String, _ read: @escaping @Sendable () -> Double?) {
    self.name = name
    self.type = type
    self.read = read
  }

  var samples: [MetricSample] {
    read().map { [MetricSample(name: name.name, labels: [], value: $0)] } ?? []
  }
}

/// Counts that somebody else keeps, one for each value of a label.
final class ObservedCounts: Sendable, MetricFamily {
  let name: MetricName
  let type = "counter"
  private let values: [String]
  private let read: @Sendable () -> [String: Int]

  init(_ name: MetricName, values: [String], _ read: @escaping @Sendable () -> [String: Int]) {
    self.name = name
    self.values = values
    self.read = read
  }

  var samples: [MetricSample] {
    let counts = read()
    return values.map { value in
      let labels = name.labels.prefix(1).map { (name: $0, value: value) }
      return MetricSample(name: name.name, labels: labels, value: Double(counts[value] ?? 0))
    }
  }
}
