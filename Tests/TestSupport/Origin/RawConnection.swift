import Glibc

/// One connection of a raw origin.
///
/// It reads a request, plays the steps of its route, and goes over to the next request or to its
/// end.
struct RawConnection {
  private enum Phase {
    case reading
    case playing(OriginStepPlayer)
    /// Our side is closed; what the client still has to say is thrown away until it leaves.
    case lingering
    case over
  }

  /// No connection lives longer, whatever its steps are.
  private static let longestLife = Duration.seconds(30)
  private static let longestHead = 64 << 10

  let descriptor: CInt
  private let number: Int
  private var phase = Phase.reading
  private var input: [UInt8] = []
  private var bodyLeft = 0
  private var wakesAt: Duration
  private var endsAt: Duration
  private var wantsToWrite = false
  private var resets = false
  private var keepsAlive = true

  /// A connection that was just accepted.
  init(descriptor: CInt, number: Int, now: Duration) {
    self.descriptor = descriptor
    self.number = number
    endsAt = now + Self.longestLife
    wakesAt = endsAt
  }

  /// What to poll for.
  var events: Int16 {
    let reading = input.count < Self.longestHead ? POLLIN : 0
    return Int16(reading) | (wantsToWrite ? Int16(POLLOUT) : 0)
  }

  /// When to call `proceed` even if nothing happens.
  var wakeTime: Duration {
    min(wakesAt, endsAt)
  }

  /// Whether there is nothing left to do but `end`.
  var isOver: Bool {
    if case .over = phase { true } else { false }
  }

  /// Closes the socket.
  func end() {
    if resets { LoopbackSocket.armReset(descriptor) }
    close(descriptor)
  }

  /// Does all that can be done without waiting, but never more than one write, so that a client
  /// that reads fast does not starve the others.
  mutating func proceed(readable: Bool, routes: OriginRoutes) {
    let now = routes.now
    wantsToWrite = false
    wakesAt = endsAt
    guard now < endsAt, !readable || receive() else {
      phase = .over
      return
    }
    // The next request may have come while the last one was answered: nothing tells of it again.
    repeat {
      if isReading {
        guard let request = nextRequest(now: now) else { return }
        begin(request, routes: routes)
      }
      play(at: now)
    } while isReading
  }

  private var isReading: Bool {
    if case .reading = phase { true } else { false }
  }

  private mutating func begin(_ request: OriginRequest, routes: OriginRoutes) {
    keepsAlive = request.keepsAlive
    switch routes.exchange(for: request) {
    case .steps(let steps):
      phase = .playing(OriginStepPlayer(steps))
    case .answer(let answer):
      let bytes = answer.bytes(withBody: request.method != "HEAD")
      phase = .playing(OriginStepPlayer([.send(bytes), .nextRequest]))
    }
  }

  private mutating func play(at now: Duration) {
    guard case .playing(var player) = phase else { return }
    var demand = player.demand(at: now, hasInput: !input.isEmpty)
    phase = .playing(player)
    if case .nextRequest = demand, !keepsAlive { demand = .finish }
    switch demand {
    case .write(let bytes):
      let count = bytes.withUnsafeBytes { buffer in
        // Invariant: the buffer is read within its own bounds, and not kept.
        send(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_NOSIGNAL))
      }
      if count > 0 {
        player.wrote(count)
        phase = .playing(player)
      } else if errno != EAGAIN {
        phase = .over
      }
      wantsToWrite = true
    case .wait(let time): wakesAt = time
    case .awaitInput, .stall: break
    case .nextRequest: phase = .reading
    case .reset:
      resets = true
      phase = .over
    case .finish:
      // Closing at once could reset the connection, and so destroy what is still on its way.
      shutdown(descriptor, CInt(SHUT_WR))
      phase = .lingering
      endsAt = min(endsAt, now + .seconds(2))
      wakesAt = endsAt
    }
  }

  /// Takes in what has arrived.
  ///
  /// - Returns: Whether the client is still there.
  private mutating func receive() -> Bool {
    var count = 0
    let piece = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, initialized in
      // Invariant: `recv` writes no more than the buffer's count, and says how much it wrote.
      count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      initialized = max(0, count)
    }
    guard count > 0 else { return count < 0 && errno == EAGAIN }
    let skipped = min(bodyLeft, count)
    bodyLeft -= skipped
    if case .lingering = phase { return true }
    input += piece[skipped..<count]
    return true
  }

  /// Takes a whole head from what has arrived, and sees to it that its body is skipped.
  private mutating func nextRequest(now: Duration) -> OriginRequest? {
    guard let end = input.firstRange(of: [13, 10, 13, 10]) else {
      if input.count >= Self.longestHead { phase = .over }
      return nil
    }
    let head = Array(input[..<end.lowerBound])
    input.removeSubrange(..<end.upperBound)
    guard let request = OriginRequest(head: head, time: now, connection: number) else {
      phase = .over
      return nil
    }
    bodyLeft = max(0, request["Content-Length"].flatMap { Int($0) } ?? 0)
    let skipped = min(bodyLeft, input.count)
    input.removeFirst(skipped)
    bodyLeft -= skipped
    return request
  }
}
