import Glibc
import Synchronization
import TimeBudgets

/// How much of the transfer loops' time may go into looking at files.
///
/// While a loop looks at a file, every other transfer of its waits. Most small files take a tenth
/// of a millisecond; one that was made to take long takes twenty, and many of them would make other
/// sources miss their deadlines. So each that took long is followed by a while in which workers look
/// at all files.
final class LoopAllowance: Sendable {
  /// What a file may take without any consequence.
  private static let usual = Duration.microseconds(500)
  /// How many times as long as a slow file took no other is looked at there.
  private static let restRatio = 20

  private let clock = Stopwatch.system
  /// When files may be looked at again.
  private let restsUntil = Mutex(Duration.zero)

  /// Looks at a file, if there is time for it now.
  ///
  /// - Parameter look: What may take long; its time counts as the processor's, since a thread that
  ///   has to wait for a processor is no file's fault.
  /// - Returns: What the look brought; nothing where it must be taken elsewhere.
  func spend<Result>(on look: () -> Result?) -> Result? {
    guard restsUntil.withLock({ $0 <= clock.now }) else { return nil }
    let start = Self.processorTime
    let result = look()
    let spent = Self.processorTime - start
    if spent > Self.usual {
      let end = clock.now + spent * Self.restRatio
      restsUntil.withLock { $0 = max($0, end) }
    }
    return result
  }

  /// The processor time of this thread.
  private static var processorTime: Duration {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
  }
}
