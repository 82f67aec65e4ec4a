import Observability
import Synchronization
import TimeBudgets

/// What is written down of a request once it is over: a line in the log, and the metrics.
final class RequestRecord: Sendable {
  private struct State {
    var route = "none"
    var caller: String
  }

  private let rooms: ServiceRooms
  private let head: RequestHead
  private let id: String
  private let state: Mutex<State>

  init(_ rooms: ServiceRooms, _ head: RequestHead, id: String) {
    self.rooms = rooms
    self.head = head
    self.id = id
    state = Mutex(State(caller: head.clientAddress))
  }

  /// The request has found its route, whose pattern holds nothing that a caller wrote.
  func route(_ path: String) {
    state.withLock { $0.route = path }
  }

  /// Who asks.
  func caller(_ name: String) {
    state.withLock { $0.caller = name }
  }

  /// The request is over.
  var ended: @Sendable (Reception.Ending) -> Void {
    { [self] ending in
      let (route, caller) = state.withLock { ($0.route, $0.caller) }
      let elapsed = Stopwatch.system.now - head.arrival
      rooms.metrics.ended(head.method, route: route, status: ending.status, after: elapsed)
      if ending.status == 429 { return refused(route, caller, at: head.arrival + elapsed) }
      let isQuiet = route == "/healthz" || route == "/readyz" || route == "/metrics"
      rooms.log.write(
        level(ending, isQuiet: isQuiet),
        "request",
        [
          "request_id": .text(id), "method": .text(head.method?.rawValue ?? "other"),
          "route": .text(route), "status": .number(Int64(ending.status ?? 0)),
          "duration_ms": .milliseconds(elapsed), "caller": .text(caller),
          "complete": .text(ending.isComplete ? "yes" : "no"),
        ]
      )
    }
  }

  /// Those who are refused are many: a line tells how many it stands for.
  private func refused(_ route: String, _ caller: String, at now: Duration) {
    guard let lines = rooms.refusals.lines(at: now) else { return }
    rooms.log.write(
      .warning,
      "refused",
      [
        "request_id": .text(id), "route": .text(route), "status": 429, "caller": .text(caller),
        "requests": .number(Int64(lines)),
      ]
    )
  }

  private func level(_ ending: Reception.Ending, isQuiet: Bool) -> StructuredLog.Level {
    // Whoever drains a service wants what it refuses meanwhile.
    let isByDesign = ending.status == 503 && rooms.isDraining()
    if let status = ending.status, status >= 500, !isByDesign { return .error }
    return isQuiet ? .debug : .info
  }
}
