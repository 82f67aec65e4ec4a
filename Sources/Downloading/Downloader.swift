public import AttachmentModel
import Glibc
public import TimeBudgets

/// Fetches remote files into an attachment directory, many at once, each within its budget.
///
/// ```swift
/// let downloader = try Downloader(Downloader.Configuration(), into: directory)
/// let slot = try await downloader.slot(for: "https://example.com/a.jpg")
/// let download = try await downloader.download(in: slot, within: TimeBudget(.seconds(30)),
///   screening: ScreeningRules(sizeLimit: .megabytes(50)))
/// ```
public final class Downloader: Sendable {
  /// The right to fetch one address now; whoever drops it gives it back.
  public struct Slot: Sendable {
    let url: RequestURL
    let slot: TransferSlots.Slot
    /// How long the slot was waited for; no budget is charged with it.
    public let waited: Duration
  }

  private let configuration: Configuration
  private let directory: AttachmentDirectory
  private let engine: TransferEngine
  private let slots: TransferSlots
  private let cache: DownloadCache?
  private let memory: BodyMemory

  /// Starts the transfer loops.
  ///
  /// - Parameters:
  ///   - configuration: How to fetch; it must be valid.
  ///   - directory: Where the files go.
  ///   - loops: Threads that drive transfers; one a core is best.
  /// - Throws: `storage-full` where the system has no memory or threads left.
  public init(
    _ configuration: Configuration,
    into directory: AttachmentDirectory,
    loops: Int = 1
  ) throws(DownloadError) {
    self.configuration = configuration
    self.directory = directory
    cache = try configuration.cacheFolder.map { folder throws(DownloadError) in
      try DownloadCache(at: folder, quota: configuration.cacheQuota, configuration)
    }
    let settings = TransferEngine.Settings(configuration)
    engine = try TransferEngine(settings, loops: loops)
    memory = BodyMemory(settings.heldBytes)
    slots = TransferSlots(
      concurrency: configuration.concurrency,
      perHost: configuration.perHost
    )
  }

  /// Body bytes received so far, over all transfers.
  public var receivedBytes: ByteCount {
    ByteCount(engine.receivedBytes)
  }

  /// What went wrong with the cache itself, in one line; no source fails for it.
  public var cacheNotice: String? {
    cache?.notice
  }

  /// Waits until one more transfer to an address may begin.
  ///
  /// - Parameters:
  ///   - address: An `http` or `https` address.
  ///   - budget: How long to wait; default: as long as it takes.
  /// - Returns: The slot, with how long it was waited for.
  /// - Throws: `invalid-url`, `unsupported-scheme`, `blocked-port`, `cancelled`, `budget-spent`.
  public func slot(
    for address: String,
    within budget: TimeBudget? = nil
  ) async throws(DownloadError) -> Slot {
    try await slot(for: try RequestURL(address), within: budget)
  }

  /// The same for an address that was read already.
  package func slot(
    for url: RequestURL,
    within budget: TimeBudget?
  ) async throws(DownloadError) -> Slot {
    try engine.settings.check(url)
    if let slot = slots.takeNow(for: url.host) { return Slot(url: url, slot: slot, waited: .zero) }
    let start = Stopwatch.system.now
    guard let slot = await slots.take(for: url.host, within: budget) else {
      throw budget?.isSpent == true
        ? DownloadError(.budgetSpent, "the budget is spent, and there was no slot for a transfer")
        : .cancelledTransfer
    }
    return Slot(url: url, slot: slot, waited: Stopwatch.system.now - start)
  }

  /// Fetches what a slot was given for, and gives the slot back.
  ///
  /// Cancelling the task ends the transfer within milliseconds.
  ///
  /// - Parameters:
  ///   - slot: The right to transfer.
  ///   - budget: The time there is, redirects and body included.
  ///   - rules: What ends the transfer before its end.
  ///   - bodyRules: What becomes of the body; default: it goes into a file. One that need not stays
  ///     in memory, if nothing is cached and there is room: 16 MiB for all, 4 where more than 128
  ///     transfers may run at once, and a quarter of that for one body.
  /// - Returns: The body, or why it was not fetched whole.
  /// - Throws: Every code of `DownloadError` but `unreadable`, with the metrics so far.
  public func download(
    in slot: Slot,
    within budget: TimeBudget,
    screening rules: ScreeningRules,
    keeping bodyRules: BodyRules = BodyRules()
  ) async throws(DownloadError) -> Download {
    defer { slot.slot.release() }
    if let cache {
      var bodyRules = bodyRules
      bodyRules.needsFile = true
      return try await download(in: slot, through: cache, within: budget, rules, bodyRules)
    }
    var history = AttemptHistory(of: slot)
    return try await fetch(slot, within: budget, rules, bodyRules, &history).download.get()
  }

  private func download(
    in slot: Slot,
    through cache: DownloadCache,
    within budget: TimeBudget,
    _ rules: ScreeningRules,
    _ bodyRules: BodyRules
  ) async throws(DownloadError) -> Download {
    let start = Stopwatch.system.now
    let requestedAt = Int64(time(nil))
    let copy = await cache.copy(of: slot.url)
    var history = AttemptHistory(of: slot)
    history.waited(Stopwatch.system.now - start)
    if let copy, copy.conditions.isEmpty { return download(copy, .hit, history.metrics) }

    let conditions = copy?.conditions ?? []
    var result = await fetch(slot, within: budget, rules, bodyRules, &history, asking: conditions)
    var download = try result.download.get()
    guard download.metrics.redirects == 0, let head = result.head else { return download }
    if let copy, head.status == 304 {
      if await cache.confirm(copy, of: slot.url, by: head, requestedAt: requestedAt) {
        return self.download(copy, .revalidated, download.metrics)
      }
      history = AttemptHistory(after: download.metrics)
      result = await fetch(slot, within: budget, rules, bodyRules, &history)
      download = try result.download.get()
    }
    if case .completed(let file?) = download.ending, let head = result.head,
      await cache.keep(
        file,
        of: slot.url,
        head,
        from: download.metrics.remoteAddress,
        requestedAt: requestedAt
      )
    {
      download.metrics.cache = .stored
    }
    return download
  }

  /// What a kept copy is as a download.
  private func download(
    _ copy: DownloadCache.Copy,
    _ use: CacheUse,
    _ metrics: TransferMetrics
  ) -> Download {
    var metrics = metrics
    metrics.cache = use
    metrics.declaredType = copy.response.declaredType
    return Download(ending: .completed(copy.file), metrics: metrics)
  }

  /// Attempts until one succeeds, or another is of no use.
  private func fetch(
    _ slot: Slot,
    within budget: TimeBudget,
    _ rules: ScreeningRules,
    _ bodyRules: BodyRules,
    _ history: inout AttemptHistory,
    asking conditions: [String] = []
  ) async -> Transfer.Result {
    let rule = RetryRule(limit: configuration.retries)
    while true {
      var result = await attempt(
        slot,
        within: budget,
        rules,
        bodyRules,
        after: history,
        history.partial == nil ? conditions : []
      )
      guard let delay = history.delay(after: &result, by: rule, within: budget) else {
        return result
      }
      history.waited(await Self.wait(delay))
    }
  }

  private func attempt(
    _ slot: Slot,
    within budget: TimeBudget,
    _ rules: ScreeningRules,
    _ bodyRules: BodyRules,
    after history: AttemptHistory,
    _ conditions: [String]
  ) async -> Transfer.Result {
    let now = Stopwatch.system.now
    let limits = TransferStateMachine.Limits(
      attempt: configuration.timeout,
      connect: configuration.connectTimeout,
      firstByte: configuration.firstByteTimeout,
      stall: configuration.stallTimeout,
      maximumRedirects: configuration.maximumRedirects,
      size: rules.sizeLimit,
      budgetEnd: now + budget.remaining,
      budget: budget,
      isDeadlineAware: configuration.isDeadlineAware
    )
    let transfer = Transfer(
      url: slot.url,
      limits: limits,
      rules: rules,
      keeping: bodyRules,
      directory: directory,
      holding: memory,
      after: history.metrics,
      resuming: history.partial,
      conditions: conditions,
      collectsCaching: cache != nil,
      at: now
    )
    return await engine.run(transfer) { result in
      // Nothing follows a success: the slot is free before the caller's thread has woken.
      if case .success = result.download, result.head?.status != 304 { slot.slot.release() }
    }
  }

  /// Waits, or less where the task is cancelled; tells how long.
  private static func wait(_ delay: Duration) async -> Duration {
    let start = Stopwatch.system.now
    try? await Task.sleep(for: delay)
    return Stopwatch.system.now - start
  }

  /// Where a task that does little but wait for downloads runs best: on one of the loops; that of
  /// the caller, if it runs on one, else each in turn.
  public var executor: any TaskExecutor {
    engine.executor
  }

  /// Ends every transfer as `cancelled`, and the loops; the downloader is of no use afterwards.
  public func stop() async {
    await engine.stop()
    cache?.stop()
  }
}
