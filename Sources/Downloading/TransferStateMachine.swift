package import AttachmentModel
import TimeBudgets

/// Decides what becomes of one source's transfer, from events and the time; touches nothing.
///
/// A transfer is one attempt of one or more hops; each hop connects, waits for its first byte, and
/// receives. Times are readings of one stopwatch.
package struct TransferStateMachine: ~Copyable {
  /// What to do when a head is complete.
  package enum HeadDecision {
    /// Store the body.
    case receive
    /// Store the body behind what an earlier attempt left.
    case resume
    /// Go on to another address; the body is of no interest, and worth reading only where it is
    /// short, so that the connection can be used again.
    case follow(location: [UInt8], bodyIsShort: Bool)
    /// Give up.
    case fail(DownloadError)
    /// The verdict is settled.
    case endEarly(EarlyEnd)
  }

  /// What to do with body bytes.
  package enum BodyDecision {
    case store
    case endEarly(EarlyEnd)
  }

  /// A moment at which the transfer fails, unless something happens before.
  package struct Deadline {
    /// Whose patience ends.
    package enum Clock {
      case budget
      case attempt
      case connect
      case firstByte
      case stall
    }

    package var time: Duration
    package var clock: Clock
  }

  private enum Phase {
    case held
    case connecting
    case waiting(since: Duration)
    case receiving
    case leaving(since: Duration)
  }

  package private(set) var limits: Limits
  /// When the transfer was handed over.
  package let start: Duration
  /// When its first hop began.
  package private(set) var firstHopStart: Duration
  /// When its current hop began.
  package private(set) var hopStart: Duration {
    didSet { askStart = hopStart }
  }
  /// When its hop was asked for last: later than it began only where a kept connection broke.
  package private(set) var askStart: Duration
  package private(set) var redirects = 0
  /// Whether the current hop's host is a name without an address yet, as far as was told.
  package var isLookingUp = false
  package private(set) var head: ResponseHead?
  package private(set) var received: Int64 = 0
  package private(set) var prefix: [UInt8] = []
  /// What an earlier attempt left, where the answer goes on with it.
  private var continued: Resumption?
  private let isConditional: Bool
  private var headBytes = 0
  private var isScreened = false
  private var firstBodyByte: Duration?
  private var lastForecast: Duration = .zero
  private var phase = Phase.connecting
  /// Runs from this hop's first byte on.
  private var stallClock: StallClock

  /// A transfer that was handed over at a moment.
  ///
  /// - Parameters:
  ///   - limits: What it must keep.
  ///   - isConditional: Whether 304 is an answer, since there is a copy to use.
  ///   - time: The moment.
  package init(
    limits: Limits,
    isConditional: Bool = false,
    at time: Duration
  ) {
    self.limits = limits
    self.isConditional = isConditional
    start = time
    firstHopStart = time
    hopStart = time
    askStart = time
    stallClock = StallClock(window: limits.stall, from: time)
  }

  /// The first hop begins.
  package mutating func begin(at time: Duration) {
    firstHopStart = time
    hopStart = time
  }

  /// The current hop has to wait before it may begin; only the budget and the attempt run on.
  package mutating func hold() {
    phase = .held
  }

  /// Whether the current hop has to wait.
  package var isHeld: Bool {
    if case .held = phase { true } else { false }
  }

  /// The hop that was held begins.
  package mutating func resume(at time: Duration) {
    if redirects == 0 { firstHopStart = time }
    hopStart = time
    phase = .connecting
  }

  private var isReceiving: Bool {
    if case .receiving = phase { true } else { false }
  }

  /// Whether the request is sent and nothing has come yet.
  package var isWaiting: Bool {
    if case .waiting = phase { true } else { false }
  }

  /// The connection stands, be it new or kept, and the request is about to be sent.
  package mutating func connected(at time: Duration) {
    isLookingUp = false
    if case .connecting = phase { phase = .waiting(since: time) }
  }

  /// The most bytes of a hop's heads, interim ones and trailers included: libcurl's own limit for
  /// a head, which it does not apply to trailers.
  package static let longestHead = 300 * 1_024

  /// Bytes of a head or of trailers came.
  ///
  /// - Returns: Why to give up, where there were too many: an origin could send lines for ever, and
  ///   the loop would serve nobody else.
  package mutating func receivedHeader(_ count: Int, at time: Duration) -> DownloadError? {
    noteArrival(count, at: time)
    headBytes += count
    guard headBytes > Self.longestHead else { return nil }
    return DownloadError(
      .protocolError,
      "the answer's header lines are longer than \(Self.longestHead) bytes"
    )
  }

  /// A head is complete.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - resumption: Where an earlier attempt broke off, if this hop was asked to go on from there.
  /// - Returns: What to do with what follows.
  package mutating func receivedHead(
    _ head: ResponseHead,
    resuming resumption: Resumption? = nil
  ) -> HeadDecision {
    self.head = head
    guard !head.hasBrokenLength else {
      return .fail(
        DownloadError(
          .protocolError,
          "the answer's Content-Length is no number, or contradicts itself"
        )
      )
    }
    if let location = head.redirection {
      guard redirects < limits.maximumRedirects else {
        return .fail(
          DownloadError(
            .tooManyRedirects,
            "the origin redirects more than \(limits.maximumRedirects) times; "
              + "link to the final address"
          )
        )
      }
      let isShort = (head.contentLength.map { $0.bytes <= 16_384 }) ?? false
      return .follow(location: location, bodyIsShort: isShort)
    }
    if head.status == 304, isConditional, redirects == 0 { return .receive }
    // These speak of the rest that was asked for: the file as a whole may well be had.
    if resumption != nil, [304, 416].contains(head.status) {
      return .fail(DownloadError(.incompleteBody, "the origin does not go on with what it began"))
    }
    guard (200...299).contains(head.status) else {
      return .fail(DownloadError(.httpStatus, Self.statusMessage(head.status)))
    }
    if let size = head.decodedSize, size > limits.size {
      return .endEarly(EarlyEnd(.announcedTooLarge, limit: limits.size))
    }
    // Any other answer than the part asked for brings the whole file, from its beginning.
    guard head.status == 206 else { return .receive }
    guard let resumption else {
      guard head.statesLess else { return .receive }
      return .fail(
        DownloadError(.incompleteBody, "the origin sent a part, and was asked for the whole")
      )
    }
    guard resumption.isContinued(by: head) else {
      return .fail(
        DownloadError(.incompleteBody, "the origin sent another part than was asked for")
      )
    }
    received = resumption.offset
    continued = resumption
    isScreened = true
    return .resume
  }

  /// Whether the answer goes on with what an earlier attempt left.
  package var isContinuing: Bool {
    continued != nil
  }

  /// The size of the whole, where this answer states it, or the one that it goes on with.
  package var wholeSize: ByteCount? {
    head?.announcedSize ?? continued?.size
  }

  /// Why the parts that came are not the whole, though the last answer is over.
  ///
  /// A part may be less than was asked for (RFC 9110, section 15.3.7), which is no damage of the
  /// file's; where more came, nobody can tell what it is.
  package var mismatch: DownloadError? {
    guard isContinuing, let size = wholeSize, received != size.bytes else { return nil }
    return DownloadError(
      .incompleteBody,
      "the origin sent parts of \(received) bytes together; the whole has \(size.bytes)"
    )
  }

  /// How long the short body of a redirect is awaited.
  private static let patience: Duration = .milliseconds(500)

  /// The next hop is known: a short body is awaited for a moment, only to keep the connection.
  package mutating func leave(at time: Duration) {
    phase = .leaving(since: time)
  }

  /// The next hop begins.
  package mutating func beginHop(at time: Duration) {
    redirects += 1
    hopStart = time
    headBytes = 0
    head = nil
    phase = .connecting
  }

  /// The same hop is asked for again, over a new connection.
  package mutating func repeatHop(at time: Duration) {
    askStart = time
    phase = .connecting
  }

  /// Decoded body bytes came.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, which are only looked at.
  ///   - time: The moment.
  ///   - screen: Looks at the first bytes until it has decided.
  /// - Returns: Whether to store them, or to stop.
  package mutating func receivedBody(
    _ bytes: UnsafeRawBufferPointer,
    at time: Duration,
    screen: (ResponseHead, [UInt8]) -> Screening
  ) -> BodyDecision {
    // Invariant: the buffer is libcurl's, valid for this call; it is only copied from.
    noteArrival(bytes.count, at: time)
    received += Int64(bytes.count)
    if received > limits.size.bytes {
      return .endEarly(EarlyEnd(.tooLarge, limit: limits.size))
    }
    if let end = forecast(at: time) { return .endEarly(end) }
    guard !isScreened, let head else { return .store }
    prefix.append(contentsOf: bytes.prefix(ScreeningRules.prefixSize - prefix.count))
    switch screen(head, prefix) {
    case .more: isScreened = prefix.count >= ScreeningRules.prefixSize
    case .proceed(let limit):
      isScreened = true
      limits.size = min(limits.size, limit ?? limits.size)
      if let size = head.decodedSize, size > limits.size {
        return .endEarly(EarlyEnd(.announcedTooLarge, limit: limits.size))
      }
      if received > limits.size.bytes {
        return .endEarly(EarlyEnd(.tooLarge, limit: limits.size))
      }
    case .settled(let end): return .endEarly(end)
    }
    return .store
  }

  /// The next moment at which the transfer fails if nothing happens.
  package var deadline: Deadline {
    var next = Deadline(time: limits.budgetEnd, clock: .budget)
    func sooner(_ time: Duration, _ clock: Deadline.Clock) {
      if time < next.time { next = Deadline(time: time, clock: clock) }
    }
    if let attempt = limits.attempt { sooner(start + attempt, .attempt) }
    switch phase {
    case .held: break
    case .connecting: sooner(askStart + limits.connect, .connect)
    case .waiting(let since): sooner(since + limits.firstByte, .firstByte)
    case .receiving: sooner(stallClock.deadline, .stall)
    case .leaving(let since): sooner(since + Self.patience, .stall)
    }
    return next
  }

  /// The next moment at which a deadline can have passed.
  ///
  /// A transfer goes on to its next phase unseen, and that may have less patience than is left of
  /// this one: it cannot end sooner than its whole patience from now.
  ///
  /// - Parameter time: Now.
  /// - Returns: A moment no later than the deadline.
  package func nextLook(at time: Duration) -> Duration {
    switch phase {
    case .held, .receiving, .leaving: deadline.time
    case .connecting:
      min(deadline.time, time + min(limits.firstByte, limits.stall, Self.patience))
    case .waiting: min(deadline.time, time + min(limits.stall, Self.patience))
    }
  }

  /// What it means that a clock ran out.
  package func failure(of clock: Deadline.Clock) -> DownloadError {
    switch clock {
    case .budget:
      DownloadError(
        .budgetSpent,
        "\(limits.budget.phrase) is spent, \(activity)"
      )
    case .attempt:
      DownloadError(
        .timedOut,
        "no whole answer within \((limits.attempt ?? .zero).exactly), \(activity)"
      )
    case .connect:
      DownloadError(
        .connectTimedOut,
        "no connection within \(limits.connect.exactly)" + (isLookingUp ? ", \(activity)" : "")
      )
    case .firstByte:
      DownloadError(
        .timedOut,
        "no first byte within \(limits.firstByte.exactly) of the request"
      )
    case .stall:
      DownloadError(
        .stalled,
        "fewer than \(StallClock.leastBytes) bytes came within \(limits.stall.exactly), "
          + activity
      )
    }
  }

  /// What it means that the rate so far cannot make the budget.
  package var hopelessness: DownloadError {
    DownloadError(
      .budgetSpent,
      "at its rate so far the transfer would overrun \(limits.budget.phrase); given up \(activity)"
    )
  }

  /// Whether the rate so far makes it certain enough that the budget will not do.
  ///
  /// The mean rate since the body's first byte must fall short by half, over at least half a
  /// second and a twentieth of the budget: transfers begin slowly.
  private mutating func forecast(at time: Duration) -> EarlyEnd? {
    guard limits.isDeadlineAware, let size = head?.decodedSize else { return nil }
    guard let firstBodyByte else {
      self.firstBodyByte = time
      return nil
    }
    let elapsed = time - firstBodyByte
    guard elapsed > max(.milliseconds(500), limits.budget.allowance / 20),
      time - lastForecast > .milliseconds(100)
    else { return nil }
    lastForecast = time
    let rate = Double(received - (continued?.offset ?? 0)) / (elapsed / .seconds(1))
    let missing = Double(size.bytes - received)
    let left = max(.zero, limits.budgetEnd - time) / .seconds(1)
    return missing > rate * left * 1.5 ? EarlyEnd(.deadline) : nil
  }

  /// Adds the facts of the last answer and the times of this attempt to its metrics.
  package func takeStock(_ metrics: inout TransferMetrics, at time: Duration) {
    metrics.status = head?.status
    metrics.declaredType = head?.mediaType
    metrics.announcedSize = head?.announcedSize
    metrics.receivedBytes.bytes = received
    metrics.redirects = redirects
    metrics.redirect += hopStart - firstHopStart
    metrics.wait += firstHopStart - start
    metrics.total += time - start
  }

  private var activity: String {
    switch phase {
    case .held: "while waiting for other name look-ups"
    case .connecting where isLookingUp: "while looking up the host's name"
    case .connecting: "while connecting"
    case .waiting: "while waiting for the first byte"
    case .receiving where head == nil: "in the middle of the answer's head"
    case .receiving, .leaving: "after \(ByteCount(received).exactly) of the body"
    }
  }

  private mutating func noteArrival(_ count: Int, at time: Duration) {
    if !isReceiving {
      phase = .receiving
      stallClock = StallClock(window: limits.stall, from: time)
    }
    stallClock.receive(count, at: time)
  }

  private static func statusMessage(_ status: Int) -> String {
    switch status {
    case 401, 403, 407: "the origin answered \(status); it must allow access without a session"
    case 404, 410: "the origin answered \(status); there is nothing at this address"
    case 400...499: "the origin answered \(status) and refuses the request"
    case 500...599: "the origin answered \(status); it is at fault, try again later"
    default: "the origin answered \(status), which is no file"
    }
  }
}
