/// How often a number fell below each of a few bounds, by label values.
public final class Histogram: Sendable, MetricFamily {
  private struct Tally: Sendable {
    var counts: [Int]
    var sum = 0.0
  }

  /// What it is called.
  public let name: MetricName
  private let bounds: [Double]
  private let series: LabeledSeries<Tally>

  init(_ name: MetricName, bounds: [Double]) {
    self.name = name
    self.bounds = bounds.sorted()
    series = LabeledSeries(
      labels: name.labels,
      initial: Tally(counts: [Int](repeating: 0, count: bounds.count + 1))
    )
  }

  /// Counts a number.
  ///
  /// - Parameters:
  ///   - number: In the unit of the name.
  ///   - values: One a label, in the order of the name's.
  public func observe(_ number: Double, _ values: String...) {
    let place = bounds.firstIndex { number <= $0 } ?? bounds.count
    series.update(values) { tally in
      tally.counts[place] += 1
      tally.sum += number
    }
  }

  /// Counts a time in seconds.
  public func observe(_ time: Duration, _ values: String...) {
    let seconds = time / .seconds(1)
    let place = bounds.firstIndex { seconds <= $0 } ?? bounds.count
    series.update(values) { tally in
      tally.counts[place] += 1
      tally.sum += seconds
    }
  }

  var type: String { "histogram" }

  var samples: [MetricSample] {
    series.all.flatMap { labels, tally in
      var sum = 0
      let buckets = tally.counts.indices.map { index -> MetricSample in
        sum += tally.counts[index]
        let bound = index < bounds.count ? MetricSample.text(bounds[index]) : "+Inf"
        return MetricSample(
          name: name.name + "_bucket",
          labels: labels + [(name: "le", value: bound)],
          value: Double(sum)
        )
      }
      return buckets + [
        MetricSample(name: name.name + "_sum", labels: labels, value: tally.sum),
        MetricSample(name: name.name + "_count", labels: labels, value: Double(sum)),
      ]
    }
  }
}
