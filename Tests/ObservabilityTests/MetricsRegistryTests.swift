import Observability
import Testing

/// The text is held against the format's own rules in `PrometheusText`.
@Suite(.timeLimit(.minutes(1)))
struct MetricsRegistryTests {
  @Test func `a count is written with its help, type and labels`() {
    let registry = MetricsRegistry()
    let counter = registry.counter(MetricName("a_total", "Counts.", labels: ["x", "y"]))
    counter.add(1, "1", "b")
    counter.add(2, "1", "b")
    counter.add(1, "0", "a\"\\\n")
    #expect(
      registry.text() == """
        # HELP a_total Counts.
        # TYPE a_total counter
        a_total{x="0",y="a\\"\\\\\\n"} 1
        a_total{x="1",y="b"} 3

        """
    )
  }

  @Test func `a histogram counts up to each bound and ends with all`() {
    let registry = MetricsRegistry()
    let histogram = registry.histogram(MetricName("h_seconds", "Times."), bounds: [0.1, 1])
    for number in [0.05, 0.1, 0.5, 3] { histogram.observe(number) }
    #expect(
      registry.text() == """
        # HELP h_seconds Times.
        # TYPE h_seconds histogram
        h_seconds_bucket{le="0.1"} 2
        h_seconds_bucket{le="1"} 3
        h_seconds_bucket{le="+Inf"} 4
        h_seconds_sum 3.65
        h_seconds_count 4

        """
    )
  }

  @Test func `what nobody counted yet is there as nothing, unless it has labels`() {
    let registry = MetricsRegistry()
    _ = registry.counter(MetricName("a_total", "A."))
    _ = registry.counter(MetricName("b_total", "B.", labels: ["x"]))
    let lines = registry.text().split(separator: "\n")
    #expect(lines.contains("a_total 0"))
    #expect(!lines.contains { $0.hasPrefix("b_total") })
  }

  @Test func `no caller can make more series than there may be`() {
    let registry = MetricsRegistry()
    let counter = registry.counter(MetricName("a_total", "A.", labels: ["x"]))
    for number in 0..<2_000 { counter.add(1, String(number)) }
    let lines = registry.text().split(separator: "\n").filter { $0.hasPrefix("a_total{") }
    #expect(lines.count == 513)
    #expect(counter.value("other") == 2_000 - 512)
  }

  @Test func `gauges rise and fall, and observed numbers are read when asked for`() {
    let registry = MetricsRegistry()
    let gauge = registry.gauge(MetricName("g", "G."))
    gauge.add(3)
    gauge.add(-1)
    registry.observe(MetricName("o", "O.")) { 1.5 }
    registry.observe(MetricName("unknown", "U.")) { nil }
    let lines = registry.text().split(separator: "\n")
    #expect(lines.contains("g 2"))
    #expect(lines.contains("o 1.5"))
    #expect(!lines.contains { $0.hasPrefix("unknown ") })
  }
}
