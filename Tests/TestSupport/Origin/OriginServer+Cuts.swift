extension OriginServer.Behavior {
  /// Where an answer in chunks is cut.
  public enum ChunkCut: Sendable, Hashable, CaseIterable {
    /// Within a chunk.
    case withinChunk
    /// Within the line that tells a chunk's size.
    case withinSize
    /// Between the last chunk and the one that would end the body.
    case beforeEnd
  }

  /// A body that ends too early, because the connection is closed in order.
  ///
  /// - Parameters:
  ///   - count: How many bytes come.
  ///   - bytes: The whole body.
  ///   - type: The Content-Type.
  ///   - framing: How its end is told: with `close` nobody can know that it is cut, and with
  ///     `chunked` the last chunk is missing.
  ///   - headers: Further fields, such as an ETag to resume with.
  /// - Returns: The behavior.
  public static func cut(
    after count: Int,
    of bytes: [UInt8],
    type: String = "application/octet-stream",
    framing: Framing = .length,
    headers: KeyValuePairs<String, String> = [:]
  ) -> Self {
    let fields = headers.map { OriginHeader($0.key, $0.value) }
    let answer = OriginAnswer(type: type, headers: fields)
    let part = bytes.prefix(count)
    return switch framing {
    case .length:
      Self(.send(answer.head(adding: "Content-Length: \(bytes.count)") + part), .finish)
    case .close:
      Self(.send(answer.head(adding: "Connection: close") + part), .finish)
    case .chunked:
      Self(
        .send(answer.head(adding: "Transfer-Encoding: chunked") + ChunkWriter.chunk(part)),
        .finish
      )
    }
  }

  /// An answer in two chunks that is cut at an awkward place.
  ///
  /// - Parameters:
  ///   - cut: Where.
  ///   - bytes: The whole body.
  /// - Returns: The behavior.
  public static func chunksCut(_ cut: ChunkCut, of bytes: [UInt8]) -> Self {
    let head = OriginAnswer(type: "application/octet-stream")
      .head(adding: "Transfer-Encoding: chunked")
    let half = bytes.count / 2
    let first = ChunkWriter.chunk(bytes[..<half])
    let second = ChunkWriter.chunk(bytes[half...])
    return switch cut {
    case .withinChunk: Self(.send(head + first + second.dropLast(second.count / 2)), .finish)
    case .withinSize: Self(.send(head + first + second.prefix(1)), .finish)
    case .beforeEnd: Self(.send(head + first + second), .finish)
    }
  }

  /// A Content-Length that is not the length of what is sent.
  ///
  /// - Parameters:
  ///   - announced: What it says: more than is sent, or less.
  ///   - bytes: What is sent before the connection is closed.
  ///   - type: The Content-Type.
  /// - Returns: The behavior.
  public static func lyingLength(
    _ announced: Int,
    of bytes: [UInt8],
    type: String = "application/octet-stream"
  ) -> Self {
    let head = OriginAnswer(type: type).head(adding: "Content-Length: \(announced)")
    return Self(.send(head + bytes), .finish)
  }

  /// A whole answer, and something behind it that nobody asked for; the connection stays open.
  ///
  /// - Parameters:
  ///   - bytes: The body that is announced.
  ///   - excess: What follows 5 ms later; default: nothing.
  ///   - type: The Content-Type.
  /// - Returns: The behavior.
  public static func overflowing(
    _ bytes: [UInt8],
    with excess: [UInt8] = [],
    type: String = "application/octet-stream"
  ) -> Self {
    let head = OriginAnswer(type: type).head(adding: "Content-Length: \(bytes.count)")
    return Self(.send(head + bytes), .pause(.milliseconds(5)), .send(excess), .nextRequest)
  }

  /// A body that goes on as fast as it is read, until the client leaves.
  ///
  /// It ends at 4 GB, or when the connection's 30 s are over.
  ///
  /// - Parameters:
  ///   - framing: With `length`, 4 TB are announced.
  ///   - start: The first bytes; zeros follow.
  ///   - type: The Content-Type.
  /// - Returns: The behavior.
  public static func endless(
    framing: Framing = .chunked,
    beginningWith start: [UInt8] = [],
    type: String = "application/octet-stream"
  ) -> Self {
    let answer = OriginAnswer(type: type)
    let block = [UInt8](repeating: 0, count: 64 << 10)
    return switch framing {
    case .length:
      Self(
        .send(answer.head(adding: "Content-Length: \(4_000_000_000_000)") + start),
        .send(block, times: 62_500)
      )
    case .close:
      Self(
        .send(answer.head(adding: "Connection: close") + start),
        .send(block, times: 62_500)
      )
    case .chunked:
      Self(
        .send(
          answer.head(adding: "Transfer-Encoding: chunked")
            + (start.isEmpty ? [] : ChunkWriter.chunk(start))
        ),
        .send(ChunkWriter.chunk(block), times: 62_500)
      )
    }
  }

  /// Resets the connection after so many bytes of the body.
  ///
  /// - Parameters:
  ///   - count: How many bytes come first; they may be lost on the way.
  ///   - bytes: The whole body, whose Content-Length is announced.
  /// - Returns: The behavior.
  public static func reset(after count: Int, of bytes: [UInt8]) -> Self {
    let head = OriginAnswer(type: "application/octet-stream")
      .head(adding: "Content-Length: \(bytes.count)")
    return Self(.send(head + bytes.prefix(count)), .pause(.milliseconds(30)), .reset)
  }

  /// Resets the connection in place of a head.
  public static let resetBeforeHead = Self(.reset)
}
