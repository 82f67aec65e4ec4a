import Synchronization

/// How often one caller may ask: so many requests a second on average, and as many at once.
final class RateLimit: Sendable {
  private struct Bucket {
    var tokens: Double
    var filledAt: Duration
  }

  /// The limit; 0 is none.
  let perSecond: Int
  private let buckets = Mutex<[String: Bucket]>([:])
  /// More callers than this are not told apart; those who have asked least lately are forgotten.
  private static let mostCallers = 4_096

  /// A limit of so many requests a second; 0 is none.
  init(perSecond: Int) {
    self.perSecond = perSecond
  }

  /// Counts a request.
  ///
  /// - Parameters:
  ///   - caller: Who asks.
  ///   - now: On any clock that does not run backwards.
  /// - Returns: Nothing where it is within the limit, else the seconds to wait.
  func wait(for caller: String, at now: Duration) -> Int? {
    guard perSecond > 0 else { return nil }
    let rate = Double(perSecond)
    return buckets.withLock { buckets in
      var bucket = buckets[caller] ?? Bucket(tokens: rate, filledAt: now)
      let passed = max(0, (now - bucket.filledAt) / .seconds(1))
      bucket.tokens = min(rate, bucket.tokens + passed * rate)
      bucket.filledAt = now
      let isWithin = bucket.tokens >= 1
      if isWithin { bucket.tokens -= 1 }
      if buckets[caller] == nil, buckets.count >= Self.mostCallers {
        // A full bucket remembers nothing that a new one does not.
        buckets = buckets.filter { (now - $0.value.filledAt) < .seconds(1) }
        if buckets.count >= Self.mostCallers { buckets = [:] }
      }
      buckets[caller] = bucket
      return isWithin ? nil : max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
    }
  }
}
