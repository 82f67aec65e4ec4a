extension OriginServer.Behavior {
  /// What is wrong with a gzip.
  public enum GzipFault: Sendable, Hashable, CaseIterable {
    /// The checksum at its end is of other bytes.
    case checksum
    /// It ends in the middle, although the Content-Length is met.
    case cut
    /// It has nothing of a gzip but the header that claims it.
    case garbage
    /// Something else follows it.
    case followed
  }

  /// A body that is compressed, whether that was asked for or not.
  ///
  /// - Parameters:
  ///   - bytes: The body before compression.
  ///   - type: The Content-Type.
  /// - Returns: The behavior.
  public static func gzipped(
    _ bytes: [UInt8],
    type: String = "application/octet-stream"
  ) -> Self {
    coded(GzipWriter.gzip(bytes), as: "gzip", type: type)
  }

  /// A body whose transfer is compressed, not the content (RFC 9112, section 7); nobody asks for it.
  ///
  /// - Parameters:
  ///   - bytes: The body before compression.
  ///   - interim: Whether an interim head says so instead of the final one, which claims a length.
  /// - Returns: The behavior.
  public static func gzippedTransfer(_ bytes: [UInt8], saidByInterimHead interim: Bool) -> Self {
    let body = GzipWriter.gzip(bytes)
    let coding = "Transfer-Encoding: gzip\r\n\r\n"
    let head =
      interim
      ? "HTTP/1.1 103 Early Hints\r\n\(coding)HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"
      : "HTTP/1.1 200 OK\r\n\(coding)"
    return .verbatim(Array(head.utf8) + body)
  }

  /// The same behind a head that libcurl passes over, however much it looks like the final one.
  ///
  /// - Parameters:
  ///   - bytes: The body before compression.
  ///   - interim: The lines of that head; libcurl takes only the first for a status.
  /// - Returns: The behavior.
  public static func gzippedTransfer(_ bytes: [UInt8], behind interim: String...) -> Self {
    let lines = interim + ["", "HTTP/1.1 200 OK", "Transfer-Encoding: gzip", "", ""]
    return .verbatim(Array(lines.joined(separator: "\r\n").utf8) + GzipWriter.gzip(bytes))
  }

  /// A small gzip that decodes to very much.
  ///
  /// - Parameters:
  ///   - size: What it decodes to, in bytes; about 159 times what is sent.
  ///   - start: The first bytes; zeros follow.
  ///   - type: The Content-Type.
  ///   - count: After how many bytes, coded, nothing more comes; nothing: all of it comes.
  /// - Returns: The behavior.
  public static func gzipBomb(
    size: Int,
    beginningWith start: [UInt8] = [],
    type: String = "application/octet-stream",
    stallingAfter count: Int? = nil
  ) -> Self {
    let zeros = max(0, size - start.count)
    let body = GzipWriter.gzip(start, andZeros: zeros)
    guard let count else { return coded(body, as: "gzip", type: type) }
    let head = OriginAnswer(type: type)
      .head(adding: "Content-Encoding: gzip", "Content-Length: \(body.count)")
    return Self(.send(head + body.prefix(count)), .stall)
  }

  /// A gzip that cannot be decoded.
  ///
  /// - Parameters:
  ///   - fault: What is wrong with it.
  ///   - bytes: The body before compression.
  /// - Returns: The behavior.
  public static func brokenGzip(_ fault: GzipFault, of bytes: [UInt8]) -> Self {
    var gzip = GzipWriter.gzip(bytes)
    switch fault {
    case .checksum: gzip[gzip.count - 8] ^= 1
    case .cut: gzip.removeLast(gzip.count / 2)
    case .followed: gzip += [UInt8]("and more".utf8)
    case .garbage: gzip = [UInt8]("this is no gzip at all".utf8)
    }
    return coded(gzip, as: "gzip")
  }

  /// A body with any Content-Encoding, true or not.
  ///
  /// - Parameters:
  ///   - bytes: The body as sent.
  ///   - coding: The field's value, such as `zstd-nonsense`.
  ///   - type: The Content-Type.
  /// - Returns: The behavior.
  public static func coded(
    _ bytes: [UInt8],
    as coding: String,
    type: String = "application/octet-stream"
  ) -> Self {
    body(bytes, type: type, headers: ["Content-Encoding": coding])
  }
}
