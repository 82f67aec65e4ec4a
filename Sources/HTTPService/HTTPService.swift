import AttachmentModel
import Cryptography
public import Observability
public import Pipeline
import Synchronization
import TimeBudgets

/// The HTTP service: what a push back end calls for each campaign.
///
/// ```swift
/// let service = try HTTPService(HTTPService.Configuration(resultsFolder: "results"), over: pipeline)
/// await service.drain()
/// ```
public final class HTTPService: Sendable {
  private enum Stage {
    case serving
    case draining
    case stopped
  }

  private let rooms: ServiceRooms
  private let daemon: HTTPDaemon
  private let stage: StageBox

  /// The stage by itself, since routes ask for it before there is a service.
  private final class StageBox: Sendable {
    let value = Mutex(Stage.serving)

    var isDraining: Bool {
      value.withLock { $0 != .serving }
    }
  }

  /// What is said to requests for new work while the service drains.
  static let draining = Problem(
    .draining,
    "the service is about to stop and takes no new work; ask another one, or this one once it has "
      + "started again",
    retryAfter: 5
  )

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - configuration: How to serve; it must be valid.
  ///   - pipeline: Who checks; it must hand its terms on, and stays the caller's to close.
  ///   - log: Where requests are written down.
  /// - Throws: Every code of `ServiceError`.
  public init(
    _ configuration: Configuration,
    over pipeline: AttachmentPipeline,
    log: StructuredLog
  ) throws(ServiceError) {
    if let problem = configuration.validate() {
      throw ServiceError(.invalidConfiguration, problem)
    }
    let limits = configuration.limits
    let shelf = try ResultShelf(
      folder: configuration.resultsFolder,
      quota: configuration.resultsQuota,
      lifetime: configuration.lifetime,
      process: RandomName.make()
    )
    let metrics = ServiceMetrics(version: configuration.version)
    let line = AdmissionLine(width: limits.checks, queueLimit: limits.queue)
    let jobs = JobBoard(limit: limits.jobs)
    let stage = StageBox()
    let rooms = ServiceRooms(
      configuration: configuration,
      pipeline: pipeline,
      orders: configuration.orders(over: pipeline),
      desk: CheckDesk(
        pipeline,
        line: line,
        shelf: shelf,
        links: ResultLinks(publicURL: configuration.publicURL, signer: configuration.signer),
        metrics: metrics,
        keepsContent: configuration.keepsContent
      ),
      jobs: jobs,
      shelf: shelf,
      metrics: metrics,
      log: log,
      isDraining: { stage.isDraining }
    )
    let router = Router(rooms)
    daemon = try HTTPDaemon(
      HTTPDaemon.Settings(
        address: configuration.address,
        port: configuration.port,
        certificate: configuration.certificate,
        connections: limits.connections,
        headPatience: limits.head
      )
    ) { router.receive($0) }
    self.rooms = rooms
    self.stage = stage
    let daemon = daemon
    metrics.observe(line, width: limits.checks, jobs, shelf) { [weak daemon] in
      daemon?.openConnections ?? 0
    }
    metrics.observe(pipeline)
    Self.sweepNowAndThen(shelf, stage)
  }

  /// The port that is listened on.
  public var port: UInt16 {
    daemon.port
  }

  /// Takes no more work, waits until what was taken is done, and stops.
  ///
  /// Requests are answered all the while; new work and readiness with 503. Cancelling the task
  /// ends the wait: what is not done then is cancelled, and its jobs stand as interrupted.
  public func drain() async {
    stage.value.withLock { if case .serving = $0 { $0 = .draining } }
    rooms.jobs.close()
    // A request that has not arrived whole was promised nothing, and past the longest budget there
    // is nothing left but clients that do not read.
    let patience = TimeBudget(rooms.configuration.limits.longestBudget + .seconds(5))
    while !Task.isCancelled, !patience.isSpent, rooms.jobs.count > 0 || daemon.promisedAnswers > 0 {
      try? await Task.sleep(for: .milliseconds(10))
    }
    await stop()
  }

  private func stop() async {
    let isFirst = stage.value.withLock { stage in
      defer { stage = .stopped }
      if case .stopped = stage { return false }
      return true
    }
    guard isFirst else { return }
    rooms.jobs.cancelAll()
    let daemon = daemon
    // Waits for connections' threads, which must not hold up the cooperative pool.
    await BlockingCall.run { daemon.stop(answering: Self.draining.answer) }
    await rooms.shelf.stop()
  }

  private static func sweepNowAndThen(_ shelf: ResultShelf, _ stage: StageBox) {
    Task.detached(priority: .background) {
      while !stage.isDraining {
        await shelf.sweep()
        try? await Task.sleep(for: .seconds(600))
      }
    }
  }
}
