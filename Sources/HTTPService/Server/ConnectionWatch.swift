import Glibc
import Synchronization
import Threading
import TimeBudgets

/// Watches connections where libmicrohttpd does not: whether the client of a sleeping one has gone,
/// whether one has ended unnoticed, and whether one takes longer than it may.
///
/// libmicrohttpd looks at no descriptor of a sleeping connection, overlooks an end that comes
/// together with bytes, and its own time-out begins anew with each byte.
final class ConnectionWatch: Sendable {
  /// What it means that a client sends no more.
  ///
  /// Who has closed its end, and who has only shut its sending side and waits for its answer, send
  /// the same FIN. The work of the one is to end, the other is owed its answer. They differ in what
  /// becomes of bytes that are sent to them: the system of who has closed answers with a reset. So
  /// something is sent that changes nothing for who reads it.
  enum Silence: Sendable {
    /// The client has gone: there is nothing that could be sent in between.
    case isGone
    /// These bytes tell.
    case isAsked([UInt8])

    /// Before an answer: an interim one, which clients of HTTP/1.1 have to take though they asked
    /// for none (RFC 9110, section 15.2).
    static let beforeAnswer = isAsked(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    /// Between two chunks: the next one's size may begin with zeros (RFC 9112, section 7.1).
    static let betweenChunks = isAsked([UInt8(ascii: "0")])
  }

  private struct Line {
    let descriptor: CInt
    var deadline: Duration?
  }

  private struct Sleeper {
    let exchange: Exchange
    let descriptor: CInt
    let silence: Silence
    var wasAsked = false
  }

  private struct State {
    /// Open connections, by the address of libmicrohttpd's own.
    var lines: [Int: Line] = [:]
    /// Exchanges whose connection sleeps.
    var sleepers: [UInt64: Sleeper] = [:]
    var isStopped = false
  }

  private let state = Mutex(State())

  /// How long a look at the sleepers takes; who falls asleep meanwhile is looked at in the next.
  private static let tick: CInt = 100
  /// The client sends no more (poll(2)); the header hides it from programs that ask for no more
  /// than POSIX.
  private static let hangUp: Int16 = 0x2000

  /// Starts the thread; makes nothing where the system has none left.
  init?() {
    guard BackgroundThread.start({ [self] in run() }) else { return nil }
  }

  /// How many connections are open.
  var openConnections: Int {
    state.withLock { $0.lines.count }
  }

  /// A connection was made.
  func opened(_ connection: Int, descriptor: CInt, deadline: Duration) {
    state.withLock { $0.lines[connection] = Line(descriptor: descriptor, deadline: deadline) }
  }

  /// A connection is about to be closed; its descriptor is not touched any more.
  func closed(_ connection: Int) {
    state.withLock { $0.lines[connection] = nil }
  }

  /// Cuts a connection at a moment; never, where there is none.
  func setDeadline(_ deadline: Duration?, of connection: Int) {
    state.withLock { $0.lines[connection]?.deadline = deadline }
  }

  /// A connection goes to sleep: its exchange is told where the client goes away.
  ///
  /// - Parameters:
  ///   - exchange: What it sleeps for; all that was written so far has been handed to the system.
  ///   - connection: The address of libmicrohttpd's own.
  ///   - silence: What it means that the client sends no more.
  func sleeps(_ exchange: Exchange, on connection: Int, _ silence: Silence) {
    state.withLock { state in
      guard let line = state.lines[connection] else { return }
      state.sleepers[exchange.number] = Sleeper(
        exchange: exchange,
        descriptor: line.descriptor,
        silence: silence
      )
    }
  }

  /// A connection is about to be woken.
  func wakes(_ exchange: Exchange) {
    state.withLock { _ = $0.sleepers.removeValue(forKey: exchange.number) }
  }

  /// Ends the thread within a tick.
  func stop() {
    state.withLock { $0.isStopped = true }
  }

  private func run() {
    while true {
      let (sleepers, isStopped) = state.withLock { (Array($0.sleepers.values), $0.isStopped) }
      if isStopped { return }
      // That a client sends no more is news once; a reset is told unasked.
      var looks = sleepers.map {
        pollfd(fd: $0.descriptor, events: $0.wasAsked ? 0 : Self.hangUp, revents: 0)
      }
      poll(&looks, nfds_t(looks.count), Self.tick)
      for (look, sleeper) in zip(looks, sleepers) where look.revents != 0 {
        guard hasGone(sleeper, look.revents) else { continue }
        // Who was woken meanwhile is none any more, whoever has the descriptor now. Told outside
        // the lock: the exchange may wake its connection, which takes it.
        state.withLock { $0.sleepers.removeValue(forKey: sleeper.exchange.number) }?
          .exchange.clientGone()
      }
      tellEndsAgain()
      cutOverdue()
    }
  }

  /// Whether the client has gone, as far as that is known by now.
  private func hasGone(_ sleeper: Sleeper, _ events: Int16) -> Bool {
    guard events == Self.hangUp, case .isAsked(let bytes) = sleeper.silence else { return true }
    return state.withLock { state in
      // Who wakes a connection takes it off the list first, under this lock: while it is there,
      // nobody else writes to it, and the descriptor is its own.
      guard state.sleepers[sleeper.exchange.number] != nil else { return false }
      state.sleepers[sleeper.exchange.number]?.wasAsked = true
      let flags = CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
      return send(sleeper.descriptor, bytes, bytes.count, flags) != bytes.count
    }
  }

  /// Tells libmicrohttpd again that a client sends no more.
  ///
  /// It hears of each event once (epoll(7), `EPOLLET`), and having read less than it had room for it
  /// waits for the next: where the last bytes and the end were one event, there is none. To shut
  /// down the receiving side, which is over, is an event and changes nothing else: bytes that wait
  /// are still read, and an answer under way is still sent.
  private func tellEndsAgain() {
    let lines = state.withLock { Array($0.lines) }
    var looks = lines.map { pollfd(fd: $0.value.descriptor, events: Self.hangUp, revents: 0) }
    poll(&looks, nfds_t(looks.count), 0)
    for (connection, _) in zip(lines, looks).filter({ $1.revents & Self.hangUp != 0 }).map(\.0) {
      state.withLock { state in
        // Somebody else may have the descriptor by now; under the lock `closed` waits.
        guard let line = state.lines[connection] else { return }
        var look = pollfd(fd: line.descriptor, events: Self.hangUp, revents: 0)
        guard poll(&look, 1, 0) > 0 else { return }
        shutdown(line.descriptor, CInt(SHUT_RD))
      }
    }
  }

  /// Shuts lines down whose time is over; libmicrohttpd then finds them closed.
  private func cutOverdue() {
    let now = Stopwatch.system.now
    state.withLock { state in
      for (connection, line) in state.lines {
        guard let deadline = line.deadline, deadline < now else { continue }
        // Under the lock `closed` waits, so the descriptor is still this connection's.
        shutdown(line.descriptor, CInt(SHUT_RDWR))
        state.lines[connection]?.deadline = nil
      }
    }
  }
}
