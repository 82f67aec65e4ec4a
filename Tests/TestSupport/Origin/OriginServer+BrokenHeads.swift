extension OriginServer.Behavior {
  /// A head that breaks HTTP; the connection is closed after it.
  public enum BrokenHead: String, Sendable, Hashable, CaseIterable {
    /// Bytes that are nothing at all.
    case garbage
    /// No byte before the end.
    case nothing
    /// Half a status line before the end.
    case cutStatusLine
    /// A head that ends before its empty line.
    case cutHead
    /// NUL bytes in a field.
    case nulBytes
    /// A line without a colon between the fields.
    case lineWithoutColon
    /// A Content-Length below zero.
    case negativeLength
    /// A Content-Length that is no number.
    case wordyLength
    /// A Content-Length that does not fit 64 bits.
    case overflowingLength
    /// Two Content-Lengths that differ.
    case doubledLength
    /// Chunks whose size is no number.
    case brokenChunkSize
    /// A field of 1 MB.
    case hugeField
    /// A body without any head, as in HTTP/0.9.
    case noHead
    /// A status that means nothing: 999.
    case status999
    /// A status of two digits.
    case shortStatus
    /// The version of another protocol.
    case strangeVersion

    /// What is sent.
    var bytes: [UInt8] {
      let body = "0123456789"
      let text: String =
        switch self {
        case .garbage: "\u{1}\u{2}!!\u{7F} not http \r\n\r\n\u{3}\u{4}"
        case .nothing: ""
        case .cutStatusLine: "HTTP/1.1 2"
        case .cutHead: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"
        case .nulBytes: "HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 10\r\n\r\n" + body
        case .lineWithoutColon: "HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 10\r\n\r\n" + body
        case .negativeLength: "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + body
        case .wordyLength: "HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n" + body
        case .overflowingLength:
          "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n" + body
        case .doubledLength:
          "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 5\r\n\r\n" + body
        case .brokenChunkSize:
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n" + body + "\r\n0\r\n\r\n"
        case .hugeField:
          "HTTP/1.1 200 OK\r\nX-A: " + String(repeating: "a", count: 1 << 20)
            + "\r\nContent-Length: 10\r\n\r\n" + body
        case .noHead: "<html>just the body</html>"
        case .status999: "HTTP/1.1 999 Odd\r\nContent-Length: 10\r\n\r\n" + body
        case .shortStatus: "HTTP/1.1 20 OK\r\nContent-Length: 10\r\n\r\n" + body
        case .strangeVersion: "HTTP/7.3 200 OK\r\nContent-Length: 10\r\n\r\n" + body
        }
      return [UInt8](text.utf8)
    }
  }

  /// Sends a head that breaks HTTP, and closes.
  public static func brokenHead(_ head: BrokenHead) -> Self {
    Self(.send(head.bytes), .finish)
  }

  /// Sends bytes exactly as they are, and closes.
  public static func verbatim(_ bytes: [UInt8]) -> Self {
    Self(.send(bytes), .finish)
  }
}
