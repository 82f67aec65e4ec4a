/// Tells how much time has passed, from any fixed moment; never runs backwards.
public struct Stopwatch: Sendable {
  /// Nothing for the machine's clock, which is read too often to go through a closure.
  private let reading: (@Sendable () -> Duration)?

  private init() {
    reading = nil
  }

  /// A stopwatch that is read by calling the closure; tests pass one that they move by hand.
  public init(reading: @escaping @Sendable () -> Duration) {
    self.reading = reading
  }

  /// The machine's monotonic clock.
  public static let system = Stopwatch()

  private static let start = ContinuousClock.now

  /// The time since the fixed moment.
  public var now: Duration {
    reading?() ?? Self.start.duration(to: .now)
  }

  /// Runs work and tells how long it took.
  public func measure<Result, Failure>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, elapsed: Duration) {
    let start = now
    let result = try work()
    return (result, now - start)
  }
}
