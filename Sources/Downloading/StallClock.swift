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
  private typealias Arrival = (time: Duration, count: Int)

  /// The last arrival of less than the least, which is mostly the only one: a head.
  private var last: Arrival?
  /// Those before it that together stay under the least; the older rest is forgotten.
  private var recent: [Arrival] = []
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
    guard count < Self.leastBytes else { return forget(until: time) }
    let before = last
    if let before, time - before.time < Self.grain {
      last = (before.time, before.count + count)
    } else {
      if let before { recent.append(before) }
      last = (time, count)
    }
    sum += count
    while sum >= Self.leastBytes, first < recent.count {
      // From this arrival on, at least the least has come: the window may begin here.
      anchor = recent[first].time
      sum -= recent[first].count
      first += 1
    }
    if sum >= Self.leastBytes, let last { forget(until: last.time) }
    if first > 512 {
      recent.removeFirst(first)
      first = 0
    }
  }

  /// Enough came at one moment: nothing before it matters any more.
  private mutating func forget(until time: Duration) {
    if !recent.isEmpty { recent.removeAll(keepingCapacity: true) }
    last = nil
    first = 0
    sum = 0
    anchor = time
  }
}
