import AttachmentModel
import Downloading

/// Hands out the lines of a batch, and keeps those of one slow host from being all that is in hand.
///
/// What comes beyond a host's share is set aside, and is next once the host has room again, or once
/// nothing else is within reach.
struct BatchTurns: Sendable {
  /// A line that is no blank one.
  struct Line: Sendable {
    /// Its place in the batch, beginning with 1.
    let number: Int
    /// What it asks for, or why that cannot be met.
    let request: Result<CheckOrder, Problem>
    /// Whom that is fetched from; nothing where there is none.
    let host: String?
    let size: Int
  }

  private var lines: LineReader
  private let orders: OrderReader
  /// How many lines of one host may be in hand while there are others.
  private let share: Int
  private var inHand: [String: Int] = [:]
  /// What is set aside, by host.
  ///
  /// Reading goes on only while each of these hosts has its share in hand, so that there are never
  /// more of them than lines in hand, however many lines they have.
  private var aside: [String: ArraySlice<Line>] = [:]
  private var countAside = 0
  private var bytesAside = 0

  /// How far is read ahead for another host's lines.
  private static let mostAside = 4_096
  private static let mostBytesAside = 1 << 20

  init(_ lines: LineReader, _ orders: OrderReader, share: Int) {
    self.lines = lines
    self.orders = orders
    self.share = share
  }

  /// Takes the next line in hand; nothing at the end.
  mutating func next() -> Line? {
    if let host = firstHostAside(where: hasRoom(for:)) { return takeAside(of: host) }
    while countAside < Self.mostAside, bytesAside < Self.mostBytesAside, let line = read() {
      guard let host = line.host, !hasRoom(for: host) else { return begun(line) }
      aside[host, default: []].append(line)
      countAside += 1
      bytesAside += line.size
    }
    return firstHostAside { _ in true }.flatMap { takeAside(of: $0) }
  }

  /// A line is no longer in hand.
  mutating func finish(_ line: Line) {
    guard let host = line.host, let count = inHand[host] else { return }
    inHand[host] = count > 1 ? count - 1 : nil
  }

  private func hasRoom(for host: String) -> Bool {
    inHand[host, default: 0] < share
  }

  /// Of some of the hosts with lines aside, the one whose line comes first in the batch.
  private func firstHostAside(where condition: (String) -> Bool) -> String? {
    aside.filter { condition($0.key) }
      .min { ($0.value.first?.number ?? 0) < ($1.value.first?.number ?? 0) }?
      .key
  }

  private mutating func begun(_ line: Line) -> Line {
    if let host = line.host { inHand[host, default: 0] += 1 }
    return line
  }

  private mutating func takeAside(of host: String) -> Line? {
    guard let line = aside[host]?.popFirst() else { return nil }
    if aside[host]?.isEmpty == true { aside[host] = nil }
    countAside -= 1
    bytesAside -= line.size
    return begun(line)
  }

  private mutating func read() -> Line? {
    while let (number, text) = lines.next() {
      if text.isEmpty { continue }
      let request = Result { () throws(Problem) in try order(text) }
      var host: String?
      if case .success(let order) = request, case .remote(let url) = order.reference.location {
        host = try? RequestURL(url).host
      }
      return Line(number: number, request: request, host: host, size: text.count)
    }
    return nil
  }

  private func order(_ text: [UInt8]) throws(Problem) -> CheckOrder {
    guard text.count <= LineReader.longestLine else {
      throw Problem(
        .malformedRequest,
        "the line has more than \(LineReader.longestLine) bytes, the most of a JSON request"
      )
    }
    return try orders.order(parsing: text)
  }
}
