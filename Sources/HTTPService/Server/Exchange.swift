import Synchronization
import TimeBudgets

/// One request and its answer, from the request line to the last byte.
///
/// The connection's thread and the task that makes the answer meet here; every step is taken under
/// the lock, so that a connection is resumed once, and never when it is gone.
final class Exchange: Sendable {
  private enum Phase {
    /// The request line is there.
    case begun
    /// The head is there, and the body arrives.
    case receiving(Reception, IncomingBody)
    /// A task makes the answer; the connection sleeps.
    case working(Task<Void, Never>)
    /// The answer is there, and the connection awake.
    case ready(HTTPAnswer)
    /// The answer is libmicrohttpd's.
    case answered(AnswerStream?)
    /// It was answered before its end was there; what still comes is dropped.
    case refused
    case over
  }

  private struct State {
    var phase = Phase.begun
    var ended: (@Sendable (Reception.Ending) -> Void)?
    var status: Int?
    var version = ""
  }

  /// Unique in this process.
  let number: UInt64
  let targetText: String
  let arrival = Stopwatch.system.now
  private let state = Mutex(State())

  init(number: UInt64, targetText: String) {
    self.number = number
    self.targetText = targetText
  }

  /// Whether the head has not been looked at yet.
  var isNew: Bool {
    state.withLock { state in
      if case .begun = state.phase { true } else { false }
    }
  }

  /// Whether it was answered before its end was there.
  var isRefused: Bool {
    state.withLock { state in
      if case .refused = state.phase { true } else { false }
    }
  }

  /// Whether a part of the request is still to come.
  var isArriving: Bool {
    state.withLock { state in
      switch state.phase {
      case .begun, .receiving, .refused: true
      case .working, .ready, .answered, .over: false
      }
    }
  }

  /// The version of HTTP that the client speaks, as in `HTTP/1.1`.
  var version: String {
    state.withLock(\.version)
  }

  /// The head is there; its body may come.
  func begin(_ reception: Reception, version: String) {
    let body = IncomingBody(reception)
    state.withLock { state in
      state.version = version
      state.phase = .receiving(reception, body)
      state.ended = reception.ended
    }
  }

  /// The body in the making, while there is one.
  var body: IncomingBody? {
    state.withLock { state in
      if case .receiving(_, let body) = state.phase { body } else { nil }
    }
  }

  /// The request is there, whole; an answer that needs no task is returned.
  ///
  /// - Parameters:
  ///   - sleep: Puts the connection to sleep.
  ///   - wake: Wakes it up, from any thread.
  /// - Returns: The answer; nothing while it is being made.
  func answer(
    sleep: () -> Void,
    wake: @escaping @Sendable () -> Void
  ) -> HTTPAnswer? {
    state.withLock { state in
      switch state.phase {
      case .ready(let answer): return answer
      case .receiving(let reception, let body):
        if let answer = Self.refusal(reception, body) { return answer }
        let received = body.finish()
        switch reception.response {
        case .settled(let answer): return answer
        case .now(let make): return make(received)
        case .later(let make):
          sleep()
          // Whatever the task does to this exchange waits for the lock.
          state.phase = .working(
            Task { [self] in finish(await make(received), wake: wake) }
          )
          return nil
        }
      case .begun, .working, .answered, .refused, .over: return nil
      }
    }
  }

  /// What a body that is not to be had is answered; nothing where nothing is wrong with it.
  var refusal: HTTPAnswer? {
    state.withLock { state in
      guard case .receiving(let reception, let body) = state.phase else { return nil }
      return Self.refusal(reception, body)
    }
  }

  private static func refusal(_ reception: Reception, _ body: IncomingBody) -> HTTPAnswer? {
    switch body.failure {
    case .tooLarge?: reception.tooLarge
    case .unstorable(let error)?: reception.unstorable(error)
    case nil: nil
    }
  }

  private func finish(_ answer: HTTPAnswer, wake: () -> Void) {
    let isLate = state.withLock { state in
      guard case .working = state.phase else { return true }
      state.phase = .ready(answer)
      wake()
      return false
    }
    if isLate, case .stream(let stream) = answer.body { stream.abandon() }
  }

  /// The answer was handed over.
  func answered(_ answer: HTTPAnswer) {
    state.withLock { state in
      state.status = answer.status
      if case .stream(let stream) = answer.body {
        state.phase = .answered(stream)
      } else {
        state.phase = .answered(nil)
      }
    }
  }

  /// An answer was sent, past libmicrohttpd, and nothing will be added to it.
  func refused(_ answer: HTTPAnswer) {
    state.withLock { state in
      state.status = answer.status
      state.phase = .refused
    }
  }

  /// The client has gone while the connection slept: whoever works for it may stop.
  func clientGone() {
    let (task, stream) = state.withLock { state -> (Task<Void, Never>?, AnswerStream?) in
      switch state.phase {
      case .working(let task): (task, nil)
      case .answered(let stream): (nil, stream)
      default: (nil, nil)
      }
    }
    task?.cancel()
    stream?.abandon()
  }

  /// The server stops: a sleeping connection is woken with this answer.
  func abandon(_ answer: HTTPAnswer, wake: () -> Void) {
    let (task, stream) = state.withLock { state -> (Task<Void, Never>?, AnswerStream?) in
      switch state.phase {
      case .working(let task):
        state.phase = .ready(answer)
        wake()
        return (task, nil)
      case .answered(let stream): return (nil, stream)
      default: return (nil, nil)
      }
    }
    task?.cancel()
    stream?.abandon()
  }

  /// libmicrohttpd is done with it.
  func end(isComplete: Bool) {
    let (ended, status, phase) = state.withLock { state in
      defer {
        state.ended = nil
        state.phase = .over
      }
      return (state.ended, state.status, state.phase)
    }
    switch phase {
    case .answered(let stream?): stream.abandon()
    case .working(let task): task.cancel()
    default: break
    }
    ended?(Reception.Ending(status: status, isComplete: isComplete))
  }
}
