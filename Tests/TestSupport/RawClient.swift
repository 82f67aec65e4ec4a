import Glibc

/// A client of a few lines that shows what really comes over the wire, and blocks.
public final class RawClient: Sendable {
  /// Why there was nothing more to read.
  public enum Ending: Sendable {
    /// The other side closed the connection.
    case closed
    /// The connection broke.
    case reset
    /// Nothing more came in time.
    case outOfPatience
    /// What was waited for is there.
    case enough
  }

  /// What came.
  public struct Reply: Sendable {
    /// All of it.
    public var bytes: [UInt8] = []
    /// Why there is no more.
    public var ending = Ending.outOfPatience

    /// Nothing, as long as nobody lost patience.
    public init() {}

    /// All of it, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What stands before the first empty line.
    public var head: String {
      String(decoding: bytes[..<(headEnd?.lowerBound ?? bytes.endIndex)], as: UTF8.self)
    }

    /// What stands behind the first empty line, as it came.
    public var body: [UInt8] {
      headEnd.map { Array(bytes[$0.upperBound...]) } ?? []
    }

    private var headEnd: Range<Int>? {
      bytes.firstRange(of: [13, 10, 13, 10])
    }

    /// The status of the first answer.
    public var status: Int? {
      head.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) }
    }

    /// A header field of the first answer.
    public subscript(field: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(field.lowercased() + ":") }
        .map { String($0.dropFirst(field.count + 1).drop { $0 == " " }) }
    }
  }

  private let descriptor: CInt
  private let url: String

  /// Connects to a URL's address and port.
  ///
  /// - Parameters:
  ///   - url: With a numeric address and a port.
  ///   - patience: For connecting and sending.
  public init?(_ url: String, patience: Duration = .seconds(5)) {
    self.url = url
    let parts = url.split(separator: "/", omittingEmptySubsequences: false)
    let host = parts.dropFirst(2).first?.split(separator: ":") ?? []
    guard host.count == 2, let port = UInt16(host[1]) else { return nil }
    descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    inet_pton(AF_INET, String(host[0]), &name.sin_addr)
    // On Linux this bounds connecting too.
    var bound = timeval(tv_sec: 0, tv_usec: Int(patience / .microseconds(1)))
    bound.tv_sec = bound.tv_usec / 1_000_000
    bound.tv_usec %= 1_000_000
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_SNDTIMEO,
      &bound,
      socklen_t(MemoryLayout<timeval>.size)
    )
    // Invariant: a sockaddr_in is laid out to be read as a sockaddr of the same size.
    let outcome = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Sends a request for the URL, or for another target on the same origin.
  ///
  /// - Parameters:
  ///   - target: What to ask for; the URL's own path where this is left out.
  ///   - method: How.
  ///   - headers: Lines besides `Host`.
  public func ask(
    _ target: String? = nil,
    method: String = "GET",
    headers: String...
  ) {
    let path = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last ?? ""
    let lines = ["\(method) \(target ?? "/\(path)") HTTP/1.1", "Host: test"] + headers
    say(lines.map { "\($0)\r\n" }.joined() + "\r\n")
  }

  /// Sends text as it is.
  public func say(_ text: String) {
    say([UInt8](text.utf8))
  }

  /// Sends bytes as they are.
  ///
  /// - Parameter bytes: All of them are sent, or the connection is broken.
  /// - Returns: Whether all were taken.
  @discardableResult
  public func say(_ bytes: [UInt8]) -> Bool {
    say(bytes, CInt(MSG_NOSIGNAL))
  }

  private func say(_ bytes: [UInt8], _ flags: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Invariant: the buffer is the slice's own, and valid within the closure.
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends text, and in the same packet that no more will be sent.
  public func sayLast(_ text: String) {
    // What is said to have more behind it waits for that, and the end is all there is.
    _ = say([UInt8](text.utf8), CInt(MSG_NOSIGNAL | MSG_MORE))
    stopSending()
  }

  /// Tells the other side that no more will be sent.
  public func stopSending() {
    shutdown(descriptor, CInt(SHUT_WR))
  }

  /// Reads until the end, or so many bytes, or a text, or until patience is at its end.
  ///
  /// - Parameters:
  ///   - count: How many bytes are enough.
  ///   - text: What is enough.
  ///   - patience: How long to wait.
  /// - Returns: What came.
  public func read(
    upTo count: Int = .max,
    until text: String? = nil,
    patience: Duration = .seconds(5)
  ) -> Reply {
    var reply = Reply()
    let end = ContinuousClock.now + patience
    while true {
      if reply.bytes.count >= count || text.map({ reply.text.contains($0) }) ?? false {
        reply.ending = .enough
        return reply
      }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = (end - .now) / .milliseconds(1)
      guard poll(&state, 1, CInt(max(0, left.rounded(.up)))) > 0 else { return reply }
      var received = 0
      let room = min(64 << 10, count - reply.bytes.count)
      let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
        // Invariant: `recv` writes no more than the room there is, and says how much it wrote.
        received = recv(descriptor, buffer.baseAddress, room, 0)
        initialized = max(0, received)
      }
      guard received > 0 else {
        reply.ending = received == 0 ? .closed : .reset
        return reply
      }
      reply.bytes += piece
    }
  }

  /// Asks once, for a connection that is closed after the answer, and reads everything.
  ///
  /// - Parameters:
  ///   - url: With a numeric address and a port.
  ///   - method: How to ask.
  ///   - header: A line besides `Host` and `Connection`.
  ///   - count: How many bytes are enough.
  ///   - patience: How long to wait.
  /// - Returns: What came.
  public static func fetch(
    _ url: String,
    method: String = "GET",
    header: String = "X-Test: 1",
    upTo count: Int = .max,
    patience: Duration = .seconds(5)
  ) -> Reply {
    guard let client = RawClient(url) else { return Reply() }
    client.ask(method: method, headers: header, "Connection: close")
    return client.read(upTo: count, patience: patience)
  }
}
