import Glibc
import Synchronization
import Threading
import TimeBudgets

/// Watches connections where libmicrohttpd does not: whether the client of a sleeping one has gone,
/// and whether one takes longer than it may.
///
/// libmicrohttpd looks at no descriptor of a sleeping connection, and its own time-out begins anew
/// with each byte.
final class ConnectionWatch: Sendable {
  private struct Line {
    let descriptor: CInt
    var deadline: Duration?
  }

  private struct Sleeper {
    let exchange: Exchange
    let descriptor: CInt
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
  func sleeps(_ exchange: Exchange, on connection: Int) {
    state.withLock { state in
      guard let line = state.lines[connection] else { return }
      state.sleepers[exchange.number] = Sleeper(exchange: exchange, descriptor: line.descriptor)
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
      var looks = sleepers.map { pollfd(fd: $0.descriptor, events: Self.hangUp, revents: 0) }
      poll(&looks, nfds_t(looks.count), Self.tick)
      for (look, sleeper) in zip(looks, sleepers) where look.revents != 0 {
        // Who was woken meanwhile is none any more, whoever has the descriptor now. Told outside
        // the lock: the exchange may wake its connection, which takes it.
        state.withLock { $0.sleepers.removeValue(forKey: sleeper.exchange.number) }?
          .exchange.clientGone()
      }
      cutOverdue()
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
