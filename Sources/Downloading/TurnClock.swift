import TimeBudgets

/// The time as of the first look in a turn of a loop.
///
/// libcurl hands over everything that has arrived in one go, line by line and 16 KB by 16 KB: what
/// came together counts as having come at one time, and the clock is read once for all of it.
///
/// Belongs to one loop's thread.
final class TurnClock {
  private var reading: Duration?

  /// Another turn begins.
  func begin() {
    reading = nil
  }

  /// The time, on the system's stopwatch.
  var now: Duration {
    if let reading { return reading }
    let now = Stopwatch.system.now
    reading = now
    return now
  }
}
