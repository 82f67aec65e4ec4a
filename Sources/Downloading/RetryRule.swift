/// When a failed attempt is worth another, and after how long.
package struct RetryRule: Sendable {
  /// How many attempts may follow the first.
  package let limit: Int

  package init(limit: Int) {
    self.limit = limit
  }

  /// Statuses that a later attempt may not meet again.
  ///
  /// Source: RFC 9110, sections 15.5 and 15.6, and RFC 6585 (429), RFC 8470 (425).
  private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// How long to wait before the next attempt; nothing where there should be none.
  ///
  /// The wait doubles with each attempt, from 200 ms, and is cut by up to half at random, so that
  /// many clients of one failing origin do not return at the same moment.
  ///
  /// - Parameters:
  ///   - error: Why the attempt failed.
  ///   - head: The answer's head, if one came.
  ///   - attempts: How many attempts were made.
  ///   - chance: A random number from 0 to 1.
  ///   - now: Seconds since 1970.
  /// - Returns: The longer of the own wait and what `Retry-After` asks for.
  package func delay(
    after error: DownloadError,
    head: ResponseHead?,
    attempts: Int,
    chance: Double,
    now: Int64
  ) -> Duration? {
    guard attempts <= limit, isPassing(error, head) else { return nil }
    let backoff = Duration.milliseconds(200 << min(attempts - 1, 10)) * (1 - chance / 2)
    return max(backoff, head?.retryAfter(at: now) ?? .zero)
  }

  private func isPassing(_ error: DownloadError, _ head: ResponseHead?) -> Bool {
    switch error.code {
    case .connectionRefused, .connectTimedOut, .incompleteBody: true
    // A broken answer would be broken again.
    case .protocolError: error.isBrokenConnection
    case .httpStatus: Self.passingStatuses.contains(head?.status ?? 0)
    default: false
    }
  }
}
