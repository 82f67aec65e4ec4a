import Glibc
import Synchronization

/// A name server that says of a name whatever a test wants it to, at 127.0.0.1 of an `OwnNetwork`.
///
/// Source of the format: RFC 1035, section 4, and RFC 3596.
public final class NameServer: Sendable {
  /// What it says when it is asked for a name.
  public enum Answer: Sendable, Hashable {
    /// The addresses of either family, in this order; none is an answer too.
    case addresses([String])
    /// There is no such name (NXDOMAIN).
    case noSuchName
    /// Nothing.
    case silence
  }

  private let descriptor: CInt
  private let wakeUp: (reading: CInt, writing: CInt)
  private let thread: JoinableThread
  private let zone: Zone

  /// Begins to answer.
  ///
  /// - Parameter names: What to say of each name, one answer a look-up, the last one ever after; of
  ///   any other name, that there is none.
  /// - Throws: Where port 53 is not to be had.
  public init(_ names: [String: [Answer]]) throws(OriginError) {
    let descriptor = try LoopbackSocket.forDatagrams(to: "127.0.0.1", port: 53)
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      close(descriptor)
      throw OriginError(description: "no pipe: errno \(errno)")
    }
    for end in ends { LoopbackSocket.keepToOurselves(end) }
    let zone = Zone(names)
    let wake = ends[0]
    thread = try JoinableThread { Self.serve(zone, at: descriptor, until: wake) }
    wakeUp = (ends[0], ends[1])
    self.descriptor = descriptor
    self.zone = zone
  }

  deinit {
    close(wakeUp.writing)
    thread.join()
    close(wakeUp.reading)
    close(descriptor)
  }

  /// How often a name was looked up.
  public func lookups(of name: String) -> Int {
    zone.lookups(of: name)
  }

  private static func serve(_ zone: Zone, at descriptor: CInt, until wakeUp: CInt) {
    var packet = [UInt8](repeating: 0, count: 512)
    while true {
      var waiting = [
        pollfd(fd: wakeUp, events: 0, revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      poll(&waiting, 2, -1)
      guard waiting[0].revents == 0 else { return }
      var asker = sockaddr()
      var length = socklen_t(MemoryLayout<sockaddr>.size)
      let count = recvfrom(descriptor, &packet, packet.count, 0, &asker, &length)
      guard count > 0, let answer = zone.answer(to: Array(packet.prefix(count))) else { continue }
      sendto(descriptor, answer, answer.count, 0, &asker, length)
    }
  }
}

/// The names, and how often each was asked for.
private final class Zone: Sendable {
  /// The kinds of records that there are.
  private enum Kind: UInt8 {
    case four = 1
    case six = 28
  }

  private struct Asked: Hashable {
    let name: String
    let kind: UInt8
  }

  private let names: [String: [NameServer.Answer]]
  private let questions = Mutex<[Asked: Int]>([:])

  init(_ names: [String: [NameServer.Answer]]) {
    self.names = names
  }

  func lookups(of name: String) -> Int {
    questions.withLock { $0[Asked(name: name, kind: Kind.four.rawValue)] ?? 0 }
  }

  /// The packet that answers another; nothing where there is no answer.
  func answer(to packet: [UInt8]) -> [UInt8]? {
    guard let (name, end) = Self.name(in: packet), packet.count >= end + 4 else { return nil }
    let question = packet[12..<end + 4]
    let number = questions.withLock { questions in
      let asked = Asked(name: name, kind: packet[end + 1])
      defer { questions[asked, default: 0] += 1 }
      return questions[asked] ?? 0
    }
    let answers = names[name] ?? [.noSuchName]
    switch answers[min(number, answers.count - 1)] {
    case .silence: return nil
    case .noSuchName: return packet[..<2] + [0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0] + question
    case .addresses(let addresses):
      let records = addresses.compactMap { Self.record($0, Kind(rawValue: packet[end + 1])) }
      let head = packet[..<2] + [0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
      return head + question + Array(records.joined())
    }
  }

  /// The name that a packet asks for, and where its text ends.
  private static func name(in packet: [UInt8]) -> (name: String, end: Int)? {
    var labels: [String] = []
    var place = 12
    while place < packet.count, packet[place] > 0 {
      let end = place + 1 + Int(packet[place])
      guard end < packet.count else { return nil }
      labels.append(String(decoding: packet[place + 1..<end], as: UTF8.self))
      place = end
    }
    return place < packet.count ? (labels.joined(separator: "."), place + 1) : nil
  }

  /// A record of an address, where it is of the kind that was asked for.
  private static func record(_ address: String, _ kind: Kind?) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: kind == .six ? 16 : 4)
    guard let kind, inet_pton(kind == .six ? AF_INET6 : AF_INET, address, &bytes) == 1 else {
      return nil
    }
    // The name of the question again, the kind, the class, no time to live, and the length.
    return [0xC0, 12, 0, kind.rawValue, 0, 1, 0, 0, 0, 0, 0, UInt8(bytes.count)] + bytes
  }
}
