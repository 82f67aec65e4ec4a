/// One thing that a raw origin does on a connection after it has read a request.
enum OriginStep: Sendable {
  /// Sends bytes, so many times over, as fast as they are read or at a rate.
  case send([UInt8], times: Int = 1, bytesPerSecond: Int? = nil)
  /// Does nothing for a while.
  case pause(Duration)
  /// Does nothing until the client leaves.
  case stall
  /// Waits for the client's next byte.
  case awaitInput
  /// Reads the client's next request.
  case nextRequest
  /// Closes in order.
  case finish
  /// Closes with a reset.
  case reset
}

/// Plays steps: says what is to be done next, and is told what was done.
struct OriginStepPlayer: Sendable {
  /// What the connection's owner is to do now.
  enum Demand {
    /// Write some of these bytes, and say how many it were.
    case write(ArraySlice<UInt8>)
    /// Ask again at that time.
    case wait(until: Duration)
    /// Ask again when the client has sent something.
    case awaitInput
    /// Ask no more; wait for the client to leave.
    case stall
    /// Read another request, and make a new player.
    case nextRequest
    /// Close in order.
    case finish
    /// Close with a reset.
    case reset
  }

  private var steps: ArraySlice<OriginStep>
  private var sent = 0
  private var began: Duration?

  /// A player at the first step; after the last it closes.
  init(_ steps: [OriginStep]) {
    self.steps = steps[...]
  }

  /// What to do at that moment.
  ///
  /// - Parameters:
  ///   - now: The time on the origin's clock.
  ///   - hasInput: Whether the client has sent what was not read yet.
  /// - Returns: The same demand again until it is met.
  mutating func demand(at now: Duration, hasInput: Bool) -> Demand {
    while let step = steps.first {
      let start = began ?? now
      began = start
      switch step {
      case .send(let bytes, let times, let rate):
        if let due = Self.allowed(rate, after: now - start), due <= sent, sent < bytes.count * times
        {
          return .wait(until: now + .milliseconds(max(5, 1_000 / max(1, rate ?? 1) - 1)))
        }
        guard sent < bytes.count * times else { break }
        let offset = sent % bytes.count
        let due = Self.allowed(rate, after: now - start).map { $0 - sent } ?? 256 << 10
        return .write(bytes[offset..<min(bytes.count, offset + due)])
      case .pause(let duration):
        guard now - start >= duration else { return .wait(until: start + duration) }
      case .awaitInput:
        guard hasInput else { return .awaitInput }
      case .stall: return .stall
      case .nextRequest: return .nextRequest
      case .finish: return .finish
      case .reset: return .reset
      }
      steps.removeFirst()
      sent = 0
      began = nil
    }
    return .finish
  }

  /// Takes note of bytes that the system has accepted.
  mutating func wrote(_ count: Int) {
    sent += count
  }

  /// How many bytes a rate allows by then; the first one is free.
  private static func allowed(_ rate: Int?, after elapsed: Duration) -> Int? {
    rate.map { 1 + Int(Double($0) * (elapsed / .seconds(1))) }
  }
}
