import Synchronization
public import TimeBudgets

/// A stopwatch that moves only when told.
public final class ManualStopwatch: Sendable {
  private let reading = Mutex(Duration.zero)

  /// A stopwatch at zero.
  public init() {}

  /// What code under test reads.
  public var stopwatch: Stopwatch {
    Stopwatch { [self] in reading.withLock { $0 } }
  }

  /// Lets time pass.
  public func advance(by duration: Duration) {
    reading.withLock { $0 += duration }
  }
}
