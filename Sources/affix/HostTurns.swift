/// Keeps the sources of one slow host from being all that is in hand.
///
/// What comes beyond a host's share is set aside, and is next once the host has room again, or once
/// there is nothing else to do.
struct HostTurns {
  /// How many sources of one host may be in hand while there are others.
  private let share: Int
  private var inHand: [String: Int] = [:]
  /// How many were set aside.
  private(set) var waiting = 0
  /// What was set aside, in order, by host: only those that had their share, and so few.
  private var aside: [String: ArraySlice<Source>] = [:]

  init(share: Int) {
    self.share = share
  }

  /// Takes a source in hand, or sets it aside.
  ///
  /// - Parameter source: The next one, in order.
  /// - Returns: Whether it is in hand.
  mutating func admit(_ source: Source) -> Bool {
    guard let host = source.host else { return true }
    guard inHand[host, default: 0] < share else {
      aside[host, default: []].append(source)
      waiting += 1
      return false
    }
    inHand[host, default: 0] += 1
    return true
  }

  /// Takes in hand what was set aside and has its turn now: the first in order of those whose host
  /// has room.
  mutating func nextInTurn() -> Source? {
    guard !aside.isEmpty else { return nil }
    return takeFirst(of: aside.keys.filter { inHand[$0, default: 0] < share })
  }

  /// Takes in hand the first in order of all that was set aside.
  mutating func nextOutOfTurn() -> Source? {
    takeFirst(of: Array(aside.keys))
  }

  /// A source is no longer in hand.
  mutating func finish(_ source: Source) {
    guard let host = source.host, let count = inHand[host] else { return }
    inHand[host] = count > 1 ? count - 1 : nil
  }

  private mutating func takeFirst(of hosts: [String]) -> Source? {
    guard let host = hosts.min(by: { place(of: $0) < place(of: $1) }),
      let source = aside[host]?.popFirst()
    else { return nil }
    if aside[host]?.isEmpty ?? false { aside[host] = nil }
    inHand[host, default: 0] += 1
    waiting -= 1
    return source
  }

  private func place(of host: String) -> Int {
    aside[host]?.first?.index ?? .max
  }
}
