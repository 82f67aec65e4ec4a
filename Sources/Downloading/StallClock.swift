/// Tells when a transfer counts as stalled: fewer than 1,000 bytes within the window.
///
/// Exact to the arrival times it is told, unlike libcurl's `LOW_SPEED_TIME`, which looks once a
/// second at a smoothed rate.
package struct StallClock {
  /// What must come within one window.
  package static let leastBytes = 1_000

  /// Arrivals this close together count as one, at the time of the first: the lines of a head come
  /// one by one.
  private static let grain: Duration = .milliseconds(1)

  private let window: Duration
  /// Recent arrivals that together stay under the least; the older rest is forgotten.
  private var recent: [(time: Duration, count: Int)] = []
  private var first = 0
  private var sum = 0
  private var anchor: Duration

  /// A clock that starts to run at a moment, with nothing received.
  package init(window: Duration, from start: Duration) {
    self.window = window
    anchor = start
  }

  /// When the transfer will have stalled, if nothing more comes.
  package var deadline: Duration {
    anchor + window
  }

  /// Takes note of bytes that came.
  package mutating func receive(_ count: Int, at time: Duration) {
    guard count < Self.leastBytes else {
      recent.removeAll(keepingCapacity: true)
      first = 0
      sum = 0
      anchor = time
      return
    }
    if let last = recent.last, time - last.time < Self.grain {
      recent[recent.count - 1].count += count
    } else {
      recent.append((time, count))
    }
    sum += count
    while sum >= Self.leastBytes, first < recent.count {
      // From this arrival on, at least the least has come: the window may begin here.
      anchor = recent[first].time
      sum -= recent[first].count
      first += 1
    }
    if first > 512 {
      recent.removeFirst(first)
      first = 0
    }
  }
}
