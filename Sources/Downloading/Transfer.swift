import AttachmentModel
import Synchronization
import TimeBudgets

/// One attempt at a source, on its way through a transfer loop.
///
/// `@unchecked Sendable`. Invariant: the caller makes it, says what follows its end, and hands it
/// to one loop; from then on only that loop's thread touches it, but for `isCancelled`, which is
/// atomic.
final class Transfer: @unchecked Sendable {
  /// How the loop is told to stop reading; libcurl's own result is then of no interest.
  enum Stop {
    case failed(DownloadError)
    case endedEarly(EarlyEnd)
    case redirected(location: [UInt8])
  }

  /// How the transfer ended.
  enum Outcome {
    case whole
    case settled(EarlyEnd)
    case failed(DownloadError)
  }

  /// What an attempt brought; an object, since it is large and passes through several tasks.
  final class Result: Sendable {
    let download: Swift.Result<Download, DownloadError>
    /// The last head, for whoever decides on another attempt.
    let head: ResponseHead?
    /// What another attempt can go on from.
    let partial: PartialBody?

    init(
      _ download: Swift.Result<Download, DownloadError>,
      head: ResponseHead?,
      partial: PartialBody? = nil
    ) {
      self.download = download
      self.head = head
      self.partial = partial
    }

    /// The same with another failure.
    func failing(as error: DownloadError) -> Result {
      Result(.failure(error), head: head, partial: partial)
    }
  }

  typealias Completion = @Sendable (Result) -> Void

  let isCancelled = Atomic(false)
  /// Called once, with what came of it; set by whoever starts it, before the loop has it.
  var completion: Completion = { _ in }

  private(set) var url: RequestURL
  /// Where the extra headers may go.
  let firstOrigin: RequestURL.Origin
  /// What an earlier attempt left, to go on from.
  private let resumed: PartialBody?
  /// `If-None-Match` and its like, where a kept copy may do; for the first hop only.
  let conditions: [String]
  var machine: TransferStateMachine
  private(set) var stop: Stop?
  /// The address that the guard refused on this hop, and why.
  var refusedAddress: String?
  /// Whether this hop is asked for again, over a connection of its own.
  private(set) var asksOverNewConnection = false
  /// The system's word for why it had no socket for this hop.
  var socketProblem: CInt?
  /// Body bytes of the last hop as they came, before any content coding was undone.
  var codedBytes: Int64 = 0
  /// Begins with what earlier attempts took.
  var metrics: TransferMetrics
  private let directory: AttachmentDirectory
  /// Where the body may be held.
  private let memory: BodyMemory
  private let rules: ScreeningRules
  private let bodyRules: BodyRules
  private let collectsCaching: Bool
  private var lines: HeadLines
  private var body: FetchedBody?

  init(
    url: RequestURL,
    limits: TransferStateMachine.Limits,
    rules: ScreeningRules,
    keeping bodyRules: BodyRules,
    directory: AttachmentDirectory,
    holding memory: BodyMemory,
    after earlier: TransferMetrics,
    resuming partial: PartialBody?,
    conditions: [String],
    collectsCaching: Bool,
    at time: Duration
  ) {
    self.url = url
    self.rules = rules
    self.bodyRules = bodyRules
    self.directory = directory
    self.memory = memory
    firstOrigin = url.origin
    resumed = partial
    self.conditions = conditions
    self.collectsCaching = collectsCaching
    lines = HeadLines(collectsCaching: collectsCaching)
    machine = TransferStateMachine(
      limits: limits,
      isConditional: !conditions.isEmpty,
      at: time
    )
    machine.isLookingUp = url.needsLookup
    metrics = earlier
    // An earlier attempt may have been redirected.
    metrics.url = url.shown
  }

  /// What this hop is asked to go on from; nothing where it leads elsewhere than the attempt that
  /// broke off.
  var rest: PartialBody? {
    resumed.flatMap { $0.url == url ? $0 : nil }
  }

  /// Whether this hop's body is handed over as it came, in no coding that has to be undone.
  var comesAsItIs: Bool {
    lines.announceNoCoding
  }

  /// Takes a header line; false stops the transfer.
  func receiveHeader(_ line: UnsafeRawBufferPointer, at time: Duration) -> Bool {
    // Invariant: the buffer is libcurl's, valid for this call; it is only read.
    switch lines.receive(line, at: time) {
    case .more: true
    case .later: tellOfLines() && receiveHeader(line, at: time)
    case .end: tellOfLines() && receiveHead()
    }
  }

  /// Tells the state machine of the lines that it does not know of; false stops the transfer.
  func tellOfLines() -> Bool {
    guard lines.untold > 0 else { return true }
    defer { lines.told() }
    guard let error = machine.receivedHeader(lines.untold, at: lines.arrival) else { return true }
    stop = .failed(error)
    return false
  }

  private func receiveHead() -> Bool {
    guard let head = lines.head else { return true }
    switch machine.receivedHead(head, resuming: rest?.resumption) {
    case .receive:
      return true
    case .resume:
      body = rest?.body
      return true
    case .follow(let location, let bodyIsShort):
      stop = .redirected(location: location)
      machine.leave(at: lines.arrival)
      return bodyIsShort
    case .fail(let error):
      stop = .failed(error)
    case .endEarly(let end):
      stop = .endedEarly(end)
    }
    return false
  }

  /// Takes body bytes and writes them straight to where they go; false stops the transfer.
  func receiveBody(_ bytes: UnsafeRawBufferPointer, at time: Duration) -> Bool {
    // Invariant: as above.
    if case .redirected = stop { return true }
    switch machine.receivedBody(bytes, at: time, screen: rules.judge) {
    case .store:
      guard let error = store(bytes) else { return true }
      stop = .failed(error)
    case .endEarly(let end):
      stop = .endedEarly(end)
    }
    return false
  }

  /// Goes on to the next hop.
  func follow(_ url: RequestURL, at time: Duration) {
    self.url = url
    metrics.url = url.shown
    machine.beginHop(at: time)
    machine.isLookingUp = url.needsLookup
    lines = HeadLines(collectsCaching: collectsCaching)
    stop = nil
    refusedAddress = nil
    asksOverNewConnection = false
    socketProblem = nil
  }

  /// Goes on with the same hop, over a new connection.
  func askAgain(at time: Duration) {
    asksOverNewConnection = true
    machine.repeatHop(at: time)
    machine.isLookingUp = url.needsLookup
  }

  /// Takes what the state machine knows into the metrics, once.
  func takeStock(at time: Duration) {
    machine.takeStock(&metrics, at: time)
  }

  /// Hands the result over; the file goes with it, or goes away.
  func complete(_ outcome: Outcome) {
    let head = machine.head
    switch outcome {
    case .whole:
      let (ending, sha256) = body?.finish() ?? (.completed(nil), nil)
      let download = Download(ending: ending, metrics: metrics, sha256: sha256)
      body = nil
      completion(Result(.success(download), head: head))
    case .settled(let end) where end.reason == .deadline:
      // Nothing is known of the content: it is the time that is settled.
      note(end)
      var error = machine.hopelessness
      error.metrics = metrics
      completion(Result(.failure(error), head: head))
    case .settled(let end):
      note(end)
      let download = Download(
        ending: .endedEarly(end, prefix: machine.prefix),
        metrics: metrics
      )
      completion(Result(.success(download), head: head))
    case .failed(var error):
      if machine.redirects > 0 { error = error.behindRedirect(to: url.host) }
      if error.code == .httpStatus, head?.announcesBody ?? false { note(EarlyEnd(.status)) }
      error.metrics = metrics
      completion(Result(.failure(error), head: head, partial: partial(after: error)))
    }
    body = nil
  }

  private func note(_ end: EarlyEnd) {
    metrics.earlyEnd = end
    // The origin announces what it sends: the coded size of a body in a content coding.
    let come = machine.head?.contentEncoding == nil ? machine.received : codedBytes
    metrics.sparedBytes = machine.head?.announcedSize.map { ByteCount(max(0, $0.bytes - come)) }
  }

  /// What was stored, where another attempt could go on from it: the bytes must be those of the
  /// representation itself from its beginning, some must be missing, and its tag must be strong.
  private func partial(after error: DownloadError) -> PartialBody? {
    guard error.code == .incompleteBody else { return resumed }
    guard let head = machine.head, head.contentEncoding == nil,
      let entityTag = head.strongEntityTag, let body, machine.received > 0,
      head.status != 206 || machine.isContinuing,
      machine.wholeSize.map({ machine.received < $0.bytes }) ?? true
    else { return nil }
    return PartialBody(
      body,
      from: url,
      received: machine.received,
      prefix: machine.prefix,
      entityTag: entityTag,
      size: machine.wholeSize
    )
  }

  private func store(_ bytes: UnsafeRawBufferPointer) -> DownloadError? {
    // Invariant: as above.
    if let body { return body.append(bytes) }
    let body = FetchedBody(
      in: directory,
      holding: memory,
      expecting: machine.head?.decodedSize.map { Int($0.bytes) },
      under: bodyRules
    )
    self.body = body
    return body.append(bytes)
  }
}
