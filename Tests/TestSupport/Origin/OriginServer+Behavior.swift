extension OriginServer {
  /// What a route does, as data; each way of misbehaving is one of the static functions.
  public struct Behavior: Sendable {
    /// How the parts are arranged.
    indirect enum Conduct: Sendable {
      case answer(OriginAnswer)
      case representation(OriginRepresentation)
      case steps([OriginStep])
      case redirectLoop(status: Int)
      case redirectChain(RedirectChain, then: Behavior)
      case failing(times: Int, first: Behavior, then: Behavior)
    }

    /// How a body's end is told.
    public enum Framing: Sendable, Hashable, CaseIterable {
      /// By a Content-Length.
      case length
      /// By the end of the connection.
      case close
      /// By a last, empty chunk.
      case chunked
    }

    let conduct: Conduct
    /// Whether relative references have to lead to routes of any kind.
    let prefersRawSocket: Bool

    init(_ conduct: Conduct, prefersRawSocket: Bool = false) {
      self.conduct = conduct
      self.prefersRawSocket = prefersRawSocket
    }

    init(_ steps: OriginStep...) {
      self.init(.steps(steps))
    }

    /// Whether no HTTP server would do it.
    var needsRawSocket: Bool {
      switch conduct {
      case .answer, .representation, .redirectLoop: false
      case .steps: true
      case .redirectChain(_, let destination): destination.needsRawSocket
      case .failing(_, let first, let then): first.needsRawSocket || then.needsRawSocket
      }
    }

    /// What a request gets.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - visit: How many requests the route had before.
    /// - Returns: An answer, or steps that only a raw socket can take.
    func exchange(for request: OriginRequest, visit: Int) -> OriginRoutes.Exchange {
      switch conduct {
      case .answer(let answer): return .answer(answer)
      case .representation(let representation): return .answer(representation.answer(to: request))
      case .steps(let steps): return .steps(steps)
      case .redirectLoop(let status):
        let location = OriginHeader("Location", request.target)
        return .answer(OriginAnswer(status: status, headers: [location]))
      case .redirectChain(_, let destination):
        return destination.exchange(for: request, visit: visit)
      case .failing(let times, let first, let then):
        return visit < times
          ? first.exchange(for: request, visit: visit)
          : then.exchange(for: request, visit: visit - times)
      }
    }
  }
}

extension OriginServer.Behavior {
  /// A whole body with its Content-Length, over a connection that stays open.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - type: The Content-Type, if there is to be one.
  ///   - status: The status.
  ///   - headers: Further fields.
  ///   - delay: How long to wait before the head.
  /// - Returns: The behavior.
  public static func body(
    _ bytes: [UInt8],
    type: String? = "application/octet-stream",
    status: Int = 200,
    headers: KeyValuePairs<String, String> = [:],
    delay: Duration = .zero
  ) -> Self {
    let fields = headers.map { OriginHeader($0.key, $0.value) }
    let answer = OriginAnswer(status: status, type: type, headers: fields, body: bytes)
    guard delay > .zero else { return Self(.answer(answer)) }
    return Self(.pause(delay), .send(answer.bytes()), .nextRequest)
  }

  /// A status with a small HTML page, or without a body where the status allows none.
  ///
  /// - Parameters:
  ///   - status: The status, from 200 on.
  ///   - headers: Further fields.
  /// - Returns: The behavior.
  public static func status(_ status: Int, headers: KeyValuePairs<String, String> = [:]) -> Self {
    let hasBody = OriginAnswer(status: status).mayHaveBody
    let page = "<!DOCTYPE html><html><body><h1>\(status)</h1></body></html>"
    return body(
      hasBody ? [UInt8](page.utf8) : [],
      type: hasBody ? "text/html" : nil,
      status: status,
      headers: headers
    )
  }

  /// A status and the time after which to try again (RFC 9110, 10.2.3).
  ///
  /// - Parameters:
  ///   - seconds: The time, in seconds.
  ///   - status: The status.
  /// - Returns: The behavior.
  public static func retryAfter(_ seconds: Int, status: Int = 429) -> Self {
    self.status(status, headers: ["Retry-After": "\(seconds)"])
  }

  /// Interim answers before the final one, as 100 Continue and 103 Early Hints.
  ///
  /// - Parameters:
  ///   - statuses: Statuses below 200, in order.
  ///   - body: The body of the final answer.
  /// - Returns: The behavior.
  public static func interim(_ statuses: [Int], then body: [UInt8]) -> Self {
    let heads = statuses.flatMap { status in
      let hint = OriginHeader("Link", "</style.css>; rel=preload")
      return OriginAnswer(status: status, headers: status == 103 ? [hint] : []).head()
    }
    return Self(.send(heads + OriginAnswer(body: body).bytes()), .nextRequest)
  }

  /// A body in chunks of the given size.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - size: The size of each chunk but the last.
  ///   - type: The Content-Type.
  /// - Returns: The behavior.
  public static func chunked(
    _ bytes: [UInt8],
    size: Int = 1_000,
    type: String = "application/octet-stream"
  ) -> Self {
    let head = OriginAnswer(type: type).head(adding: "Transfer-Encoding: chunked")
    return Self(.send(head + ChunkWriter.chunks(bytes, size: size) + ChunkWriter.end), .nextRequest)
  }

  /// A representation that can be revalidated and asked for in parts.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - type: The Content-Type.
  ///   - entityTag: As it stands in the field: `"a"` is strong, `W/"a"` weak; nothing: no ETag.
  ///   - lastModified: An HTTP date; nothing: no Last-Modified.
  ///   - ranges: What is made of a Range field.
  /// - Returns: The behavior.
  public static func representation(
    _ bytes: [UInt8],
    type: String = "application/octet-stream",
    entityTag: String? = "\"strong\"",
    lastModified: String? = nil,
    ranges: OriginRanges = .honoured
  ) -> Self {
    let representation = OriginRepresentation(
      bytes: bytes,
      type: type,
      entityTag: entityTag,
      lastModified: lastModified,
      ranges: ranges
    )
    return Self(.representation(representation))
  }

  /// Does one thing for the first requests and another from then on, counted by route.
  ///
  /// - Parameters:
  ///   - times: How many requests get the first behavior.
  ///   - first: What they get.
  ///   - then: What all others get.
  /// - Returns: The behavior.
  public static func failing(times: Int, with first: Self, then: Self) -> Self {
    Self(.failing(times: times, first: first, then: then))
  }
}
