/// Tells how much time has passed, from any fixed moment; never runs backwards.
public struct Stopwatch: Sendable {
  private let reading: @Sendable () -> Duration

  /// A stopwatch that is read by calling the closure; tests pass one that they move by hand.
  public init(reading: @escaping @Sendable () -> Duration) {
    self.reading = reading
  }

  /// The machine's monotonic clock.
  public static let system = {
    let start = ContinuousClock.now
    return Stopwatch { ContinuousClock.now - start }
  }()

  /// The time since the fixed moment.
  public var now: Duration {
    reading()
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
