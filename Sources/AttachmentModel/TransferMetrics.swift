/// How one attachment came over the network: who answered, what was said, where the time went.
///
/// Phases are durations, not points in time, and they add up to `total`.
public struct TransferMetrics: Sendable, Hashable, Codable {
  /// The last address, after redirects, without user information.
  public var url: String
  /// `1.0`, `1.1`, `2` or `3`, once an answer came.
  public var httpVersion: String?
  /// The status of the last answer.
  public var status: Int?
  /// How many redirects were followed.
  public var redirects = 0
  /// `Content-Type` of the last answer, without parameters, lower-cased.
  public var declaredType: String?
  /// `Content-Length` of the last answer: what the origin announced.
  public var announcedSize: ByteCount?
  /// Body bytes received, decoded.
  public var receivedBytes = ByteCount(0)
  /// The numeric address that answered.
  public var remoteAddress: String?
  /// Waiting for a slot; not charged to the budget.
  public var queue: Duration = .zero
  /// Name look-up of the last hop.
  public var nameLookup: Duration = .zero
  /// TCP connection of the last hop.
  public var connect: Duration = .zero
  /// TLS handshake of the last hop.
  public var tls: Duration = .zero
  /// All hops before the last.
  public var redirect: Duration = .zero
  /// From the request to the first byte of the answer.
  public var firstByte: Duration = .zero
  /// From the first to the last byte of the answer.
  public var body: Duration = .zero
  /// Between attempts, and whatever else is no phase of the network.
  public var wait: Duration = .zero
  /// Everything since the slot was given.
  public var total: Duration = .zero
  /// Attempts after the first.
  public var retries = 0
  /// What the cache had to do with it; absent where there is none, or it had nothing.
  public var cache: CacheUse?
  /// Why the transfer was stopped before its end, if it was.
  public var earlyEnd: EarlyEnd?
  /// Bytes that an early end did not fetch, where the origin had announced a size.
  public var sparedBytes: ByteCount?

  /// What another attempt at the same source goes on counting from: the times, and how many retries
  /// there were; nothing of the answer.
  public var carriedOver: TransferMetrics {
    var earlier = TransferMetrics(url: url)
    earlier.queue = queue
    earlier.nameLookup = nameLookup
    earlier.connect = connect
    earlier.tls = tls
    earlier.redirect = redirect
    earlier.firstByte = firstByte
    earlier.body = body
    earlier.wait = wait
    earlier.total = total
    earlier.retries = retries
    return earlier
  }

  /// Metrics of a transfer that has not begun.
  public init(url: String) {
    self.url = url
  }
}

/// What a cache had to do with an answer.
public enum CacheUse: String, Sendable, Hashable, Codable, CaseIterable {
  /// The kept copy is fresh: nobody was asked.
  case hit
  /// The origin said that the kept copy is still good.
  case revalidated
  /// The answer was fetched, and is kept for the next time.
  case stored
}

/// Why a transfer was stopped as soon as its verdict was settled.
public struct EarlyEnd: Sendable, Hashable, Codable {
  /// The closed set of reasons; raw values are what `ended_early` prints.
  public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
    /// The announced size is over the limit.
    case announcedTooLarge = "announced-too-large"
    /// More than the limit was received, after decoding.
    case tooLarge = "too-large"
    /// The first bytes are a type that no policy in force accepts.
    case unsupportedType = "unsupported-type"
    /// The status says that what follows is not the file.
    case status
    /// The rate so far cannot make the budget; nothing is known of the content.
    case deadline
  }

  /// Which reason.
  public var reason: Reason
  /// The limit that was passed, where the reason is a size.
  public var limit: ByteCount?

  /// An early end for a reason.
  public init(_ reason: Reason, limit: ByteCount? = nil) {
    self.reason = reason
    self.limit = limit
  }
}
