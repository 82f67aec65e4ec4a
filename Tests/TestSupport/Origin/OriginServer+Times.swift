extension OriginServer.Behavior {
  /// A body that comes at a rate.
  ///
  /// - Parameters:
  ///   - bytesPerSecond: The rate; the first byte comes at once.
  ///   - bytes: The body.
  ///   - type: The Content-Type.
  ///   - framing: Whether its length is told beforehand, or its end by closing.
  /// - Returns: The behavior.
  public static func dripping(
    bytesPerSecond: Int,
    of bytes: [UInt8],
    type: String = "application/octet-stream",
    framing: Framing = .length
  ) -> Self {
    let head = OriginAnswer(type: type)
    switch framing {
    case .length:
      return Self(
        .send(head.head(adding: "Content-Length: \(bytes.count)")),
        .send(bytes, bytesPerSecond: bytesPerSecond),
        .nextRequest
      )
    case .close:
      return Self(
        .send(head.head(adding: "Connection: close")),
        .send(bytes, bytesPerSecond: bytesPerSecond),
        .finish
      )
    case .chunked:
      // The rate is that of the wire: a chunk of one byte takes six.
      return Self(
        .send(head.head(adding: "Transfer-Encoding: chunked")),
        .send(ChunkWriter.chunks(bytes, size: 1), bytesPerSecond: bytesPerSecond * 6),
        .send(ChunkWriter.end),
        .nextRequest
      )
    }
  }

  /// A head whose bytes come one at a time, and which never ends.
  ///
  /// - Parameter bytesPerSecond: How fast they come.
  /// - Returns: The behavior.
  public static func endlessHead(bytesPerSecond: Int = 20) -> Self {
    Self(
      .send([UInt8]("HTTP/1.1 200 OK\r\n".utf8), bytesPerSecond: bytesPerSecond),
      .send([UInt8]("X-More: yes\r\n".utf8), times: 1_000_000, bytesPerSecond: bytesPerSecond)
    )
  }

  /// Reads the request and never answers.
  public static let silent = Self(.stall)

  /// The head, so many bytes of the body, and then nothing more.
  ///
  /// - Parameters:
  ///   - count: How many bytes come; 0: the head alone.
  ///   - bytes: The whole body, whose Content-Length is announced.
  ///   - type: The Content-Type.
  /// - Returns: The behavior.
  public static func stalling(
    after count: Int,
    of bytes: [UInt8],
    type: String = "application/octet-stream"
  ) -> Self {
    let head = OriginAnswer(type: type).head(adding: "Content-Length: \(bytes.count)")
    return Self(.send(head + bytes.prefix(count)), .stall)
  }

  /// A whole answer over a connection that is announced to stay, and then closed.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - delay: How long to wait before the answer.
  ///   - death: When the connection ends, and how.
  /// - Returns: The behavior.
  public static func keptAlive(
    _ bytes: [UInt8],
    after delay: Duration = .zero,
    dying death: Death
  ) -> Self {
    let answer = OriginStep.send(
      OriginAnswer(
        type: "application/octet-stream",
        headers: [.init("Connection", "keep-alive")],
        body: bytes
      ).bytes()
    )
    return switch death {
    case .idle(let idleness): Self(.pause(delay), answer, .pause(idleness), .finish)
    case .onNextRequest: Self(.pause(delay), answer, .awaitInput, .finish)
    case .resetOnNextRequest: Self(.pause(delay), answer, .awaitInput, .reset)
    }
  }

  /// How a connection ends that was to be kept.
  public enum Death: Sendable, Hashable {
    /// In order, after being idle for a while.
    case idle(Duration)
    /// In order, as soon as another request is sent over it.
    case onNextRequest
    /// With a reset, as soon as another request is sent over it.
    case resetOnNextRequest
  }
}
