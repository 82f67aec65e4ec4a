extension RequestURL {
  /// The parts of an address that is written in the one way that every program reads alike.
  ///
  /// Most addresses of a long list are, and reading them takes a tenth of the time that libcurl's
  /// parser takes, which reads all others: no user information, no fragment, a host in lower-case
  /// letters, a port without leading zeros, and a path without dot segments.
  struct Plain {
    let scheme: String
    let host: String
    /// Whether the host is a name, not an address.
    let hostIsName: Bool
    let port: Int

    /// Reads an address; makes nothing where it is written in any other way.
    init?(_ bytes: Span<UInt8>) {
      guard bytes.count <= 2_048, let (scheme, hostStart) = Self.scheme(bytes) else { return nil }
      var end = hostStart
      while end < bytes.count, Self.isHost(bytes[end]) { end += 1 }
      let host = hostStart..<end
      guard let hostIsName = Self.isName(bytes, host) else { return nil }
      var port = scheme == "https" ? 443 : 80
      if end < bytes.count, bytes[end] == UInt8(ascii: ":") {
        guard let (stated, next) = Self.port(bytes, end + 1) else { return nil }
        port = stated
        end = next
      }
      guard end < bytes.count, bytes[end] == UInt8(ascii: "/"), Self.isPlainTail(bytes, end) else {
        return nil
      }
      guard let name = try? UTF8Span(validating: bytes.extracting(host)) else { return nil }
      self.scheme = scheme
      self.host = String(copying: name)
      self.hostIsName = hostIsName
      self.port = port
    }

    private static let schemes = ["https", "http"].map { (name: $0, start: Array("\($0)://".utf8)) }

    private static func scheme(_ bytes: Span<UInt8>) -> (String, end: Int)? {
      for (name, start) in schemes where bytes.count > start.count {
        if start.indices.allSatisfy({ bytes[$0] == start[$0] }) { return (name, start.count) }
      }
      return nil
    }

    private static func isHost(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }

    /// Whether a host is a name whose last label is no number, or else an IPv4 address as it is
    /// usually written; nothing where it is neither.
    ///
    /// What ends in a number is an address to browsers, and some numbers have many spellings.
    private static func isName(_ bytes: Span<UInt8>, _ host: Range<Int>) -> Bool? {
      guard (1...253).contains(host.count) else { return nil }
      var labels = 0
      var bytesOnly = true
      var start = host.lowerBound
      while true {
        var end = start
        while end < host.upperBound, bytes[end] != UInt8(ascii: ".") { end += 1 }
        let label = start..<end
        guard (1...63).contains(label.count), !isInternational(bytes, label) else { return nil }
        labels += 1
        bytesOnly = bytesOnly && isByte(bytes, label)
        guard end < host.upperBound else { break }
        start = end + 1
      }
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[start]) { return true }
      return labels == 4 && bytesOnly ? false : nil
    }

    /// Whether a label begins with `xn--`: libcurl looks into these.
    private static func isInternational(_ bytes: Span<UInt8>, _ label: Range<Int>) -> Bool {
      let start = label.lowerBound
      return label.count >= 4 && bytes[start] == UInt8(ascii: "x")
        && bytes[start + 1] == UInt8(ascii: "n") && bytes[start + 2] == UInt8(ascii: "-")
        && bytes[start + 3] == UInt8(ascii: "-")
    }

    /// Whether a label is a number from 0 to 255 without leading zeros.
    private static func isByte(_ bytes: Span<UInt8>, _ label: Range<Int>) -> Bool {
      guard label.count <= 3, label.count == 1 || bytes[label.lowerBound] != 48 else {
        return false
      }
      var value = 0
      for index in label {
        guard (48...57).contains(bytes[index]) else { return false }
        value = value * 10 + Int(bytes[index] - 48)
      }
      return value < 256
    }

    private static func port(_ bytes: Span<UInt8>, _ start: Int) -> (Int, end: Int)? {
      var value = 0
      var end = start
      while end < bytes.count, (48...57).contains(bytes[end]), end - start < 6 {
        value = value * 10 + Int(bytes[end] - 48)
        end += 1
      }
      guard end > start, bytes[start] != 48, value <= 65_535 else { return nil }
      return (value, end)
    }

    /// Whether path and query are sent as they stand: no byte that is encoded or means something
    /// else to anybody, and no segment that could be `.` or `..`, encoded or not.
    private static func isPlainTail(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
      var last: UInt8 = 0
      for index in start..<bytes.count {
        let byte = bytes[index]
        let isDot = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%")
        guard RequestURL.isPlain(byte), byte != UInt8(ascii: "#"),
          !(isDot && last == UInt8(ascii: "/"))
        else { return false }
        last = byte
      }
      return true
    }
  }
}
