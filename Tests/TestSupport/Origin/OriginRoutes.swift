import Synchronization
import TimeBudgets

/// What both engines of an origin look up and write down: routes, visits, requests, connections.
final class OriginRoutes: Sendable {
  /// What a request gets.
  enum Exchange {
    /// An orderly answer.
    case answer(OriginAnswer)
    /// Steps on the connection itself.
    case steps([OriginStep])
  }

  private struct State {
    var behaviors: [Substring: OriginServer.Behavior] = [:]
    var visits: [Substring: Int] = [:]
    var requests: [OriginRequest] = []
    var accepted = 0
    var open = 0
  }

  private let state = Mutex(State())
  private let start = Stopwatch.system.now

  /// The time on the origin's clock.
  var now: Duration {
    Stopwatch.system.now - start
  }

  /// All requests so far, in the order of their arrival.
  var requests: [OriginRequest] {
    state.withLock(\.requests)
  }

  /// How many connections there were ever, and how many there are.
  var connections: (accepted: Int, open: Int) {
    state.withLock { ($0.accepted, $0.open) }
  }

  /// Adds a route.
  ///
  /// - Parameter behavior: What it does.
  /// - Returns: The first part of its path, which cannot be guessed.
  func register(_ behavior: OriginServer.Behavior) -> String {
    let token = String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
    state.withLock { $0.behaviors[token[...]] = behavior }
    return token
  }

  /// Takes note of a new connection.
  ///
  /// - Returns: Its number.
  func opened() -> Int {
    state.withLock {
      $0.open += 1
      $0.accepted += 1
      return $0.accepted
    }
  }

  /// Takes note of a connection's end.
  func closed() {
    state.withLock { $0.open -= 1 }
  }

  /// Writes a request down and says what it gets; 404 where there is no such route.
  func exchange(for request: OriginRequest) -> Exchange {
    let (behavior, visit) = state.withLock { state in
      state.requests.append(request)
      let visit = state.visits[request.token, default: 0]
      state.visits[request.token] = visit + 1
      return (state.behaviors[request.token], visit)
    }
    guard let behavior else { return .answer(OriginAnswer(status: 404)) }
    return behavior.exchange(for: request, visit: visit)
  }
}
