import AttachmentModel
import DecoderSandbox
import Observability
import Pipeline
import PolicyChecking
import TimeBudgets

/// What the service counts; every label comes from a closed set.
final class ServiceMetrics: Sendable {
  let registry = MetricsRegistry()
  private let requests: Counter
  private let durations: Histogram
  private let inFlight: Gauge
  private let queueTime: Histogram
  private let stages: Histogram
  private let verdicts: Counter
  private let findings: Counter
  private let fetched: Counter
  private let spared: Counter
  private let retries: Counter
  private let earlyEnds: Counter
  private let budgetShare: Histogram
  private let cache: Counter
  private let previews: Counter
  private let encodes: Counter
  private let jobs: Counter
  private let unkept: Counter

  private static let seconds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ]

  init(version: String) {
    requests = registry.counter(
      MetricName(
        "affix_http_requests_total",
        "Requests answered, by route and status; 0 where the client went before.",
        labels: ["method", "route", "status"]
      )
    )
    durations = registry.histogram(
      MetricName(
        "affix_http_request_duration_seconds",
        "From the request line to the end of the answer.",
        labels: ["route"]
      ),
      bounds: Self.seconds
    )
    inFlight = registry.gauge(
      MetricName("affix_http_requests_in_flight", "Requests that have not been answered yet.")
    )
    queueTime = registry.histogram(
      MetricName("affix_queue_time_seconds", "How long checks waited for their turn."),
      bounds: Self.seconds
    )
    stages = registry.histogram(
      MetricName(
        "affix_stage_duration_seconds",
        "Time that checks spent in each stage.",
        labels: ["stage"]
      ),
      bounds: Self.seconds
    )
    verdicts = registry.counter(
      MetricName("affix_checks_total", "Checks done, by verdict.", labels: ["verdict"])
    )
    findings = registry.counter(
      MetricName(
        "affix_findings_total",
        "Violations, warnings and errors in reports, by code.",
        labels: ["kind", "code"]
      )
    )
    fetched = registry.counter(
      MetricName("affix_fetched_bytes_total", "Body bytes received from origins.")
    )
    spared = registry.counter(
      MetricName("affix_spared_bytes_total", "Bytes not fetched, since a verdict was settled.")
    )
    retries = registry.counter(
      MetricName("affix_fetch_retries_total", "Attempts at origins after the first.")
    )
    earlyEnds = registry.counter(
      MetricName(
        "affix_early_ends_total",
        "Transfers ended before their last byte, by reason.",
        labels: ["reason"]
      )
    )
    budgetShare = registry.histogram(
      MetricName("affix_budget_spent_ratio", "The share of its budget that a check spent."),
      bounds: [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 1]
    )
    cache = registry.counter(
      MetricName("affix_download_cache_total", "Uses of the download cache.", labels: ["use"])
    )
    previews = registry.counter(
      MetricName(
        "affix_previews_total",
        "Previews asked for: rendered, or why not.",
        labels: ["outcome"]
      )
    )
    encodes = registry.counter(
      MetricName("affix_preview_encodes_total", "Encodings that previews took.")
    )
    jobs = registry.counter(
      MetricName("affix_jobs_total", "Asynchronous jobs, by how they ended.", labels: ["outcome"])
    )
    unkept = registry.counter(
      MetricName("affix_results_unkept_total", "Results that could not be stored.")
    )
    let build = registry.gauge(
      MetricName("affix_build_info", "Always 1; the label tells the build.", labels: ["version"])
    )
    build.set(1, version)
    ProcessMetrics.register(in: registry)
  }

  /// Adds what others keep count of.
  func observe(
    _ line: AdmissionLine,
    width: Int,
    _ jobs: JobBoard,
    _ shelf: ResultShelf,
    connections: @escaping @Sendable () -> Int
  ) {
    registry.observe(MetricName("affix_queue_length", "Checks that wait for their turn.")) {
      Double(line.length)
    }
    registry.observe(MetricName("affix_checks_in_progress", "Checks under way.")) {
      Double(line.underWay)
    }
    registry.observe(MetricName("affix_checks_limit", "Checks that may be under way.")) {
      Double(width)
    }
    registry.observe(MetricName("affix_jobs_unfinished", "Jobs accepted and not finished.")) {
      Double(jobs.count)
    }
    registry.observe(MetricName("affix_results_bytes", "Bytes that kept results take.")) {
      shelf.usedBytes.map(Double.init)
    }
    registry.observe(MetricName("affix_http_connections", "Open connections.")) {
      Double(connections())
    }
  }

  /// Adds what workers and decoders are doing.
  func observe(_ pipeline: AttachmentPipeline) {
    registry.observe(
      MetricName("affix_workers_busy", "Threads that inspect, or wait for decoders, with work.")
    ) {
      Double(pipeline.busyWorkers)
    }
    registry.observe(MetricName("affix_workers_limit", "Threads that there are for that.")) {
      Double(pipeline.workerCount)
    }
    let gauges: [(MetricName, @Sendable (ExaminerActivity) -> Double)] = [
      (MetricName("affix_decoders", "Sandboxed decoder processes."), { Double($0.children) }),
      (
        MetricName(
          "affix_decoders_limit",
          "Decoder processes that there may be; 0 without sandbox."
        ),
        { Double($0.childrenLimit) }
      ),
      (
        MetricName("affix_decoder_files", "Files that are with decoders, or wait there."),
        { Double($0.files) }
      ),
      (
        MetricName(
          "affix_decoder_resident_memory_bytes",
          "Resident memory of all decoder processes; what they share is counted in each."
        ),
        { Double($0.residentMemory.bytes) }
      ),
    ]
    for (name, read) in gauges { registry.observe(name) { read(pipeline.examinerActivity) } }
    registry.observeCount(
      MetricName("affix_decoder_starts_total", "Decoder processes started.")
    ) {
      Double(pipeline.examinerActivity.starts)
    }
    registry.observeCounts(
      MetricName(
        "affix_decoder_endings_total",
        "Decoder processes that ended and were replaced at need, by reason.",
        labels: ["reason"]
      ),
      values: ExaminerActivity.Ending.allCases.map(\.rawValue)
    ) {
      let endings = pipeline.examinerActivity.endings
      return Dictionary(uniqueKeysWithValues: endings.map { ($0.key.rawValue, $0.value) })
    }
  }

  /// A request has come.
  func began() {
    inFlight.add(1)
  }

  /// A request is over.
  func ended(_ method: HTTPMethod?, route: String, status: Int?, after duration: Duration) {
    inFlight.add(-1)
    requests.add(1, method?.rawValue ?? "other", route, String(status ?? 0))
    durations.observe(duration, route)
  }

  /// A check's turn came after a while.
  func queued(_ time: Duration) {
    queueTime.observe(time)
  }

  /// Results could not be stored.
  func shelfFailed() {
    unkept.add()
  }

  /// A job is over.
  func jobEnded(_ outcome: StaticString) {
    jobs.add(1, "\(outcome)")
  }

  /// Counts whatever a report tells.
  func count(_ report: AttachmentReport) {
    verdicts.add(1, report.verdict.name)
    if case .unobtainable(let error) = report.verdict { findings.add(1, "error", error.code) }
    for violation in report.violations { findings.add(1, "violation", violation.code.rawValue) }
    for warning in report.warnings { findings.add(1, "warning", warning.code.rawValue) }
    for entry in report.ledger.entries { stages.observe(entry.duration, entry.stage.rawValue) }
    if report.ledger.allowance > .zero {
      budgetShare.observe(report.ledger.spent / report.ledger.allowance)
    }
    if let transfer = report.evidence.transfer {
      fetched.add(Double(transfer.receivedBytes.bytes))
      spared.add(Double(transfer.sparedBytes?.bytes ?? 0))
      retries.add(Double(transfer.retries))
      if let use = transfer.cache { cache.add(1, use.rawValue) }
      if let end = transfer.earlyEnd { earlyEnds.add(1, end.reason.rawValue) }
    }
    for preview in report.previews {
      switch preview.outcome {
      case .rendered(let picture):
        previews.add(1, "rendered")
        encodes.add(Double(picture.encodes))
      case .unavailable(let error): previews.add(1, error.code.rawValue)
      }
    }
  }
}
