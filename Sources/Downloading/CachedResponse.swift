import FoundationEssentials

/// What is kept about an answer so that its body can be used again (RFC 9111, private cache).
///
/// Belongs to the address that gave the answer, never to one that redirected there: a redirection
/// is asked for each time. That address is not in the record, since it may hold a token. Times are
/// wall-clock seconds since 1970.
package struct CachedResponse: Sendable, Hashable, Codable {
  /// `Content-Type` as sent.
  package let declaredType: String?
  /// The fields that decide about its use, brought up to date by each 304.
  package let fields: HTTPCachingFields
  /// When the request was sent that the fields answer.
  package let requestedAt: Int64
  /// When they came.
  package let receivedAt: Int64
  /// The numeric address that sent the body, whoever confirmed it since; earlier versions kept none.
  package let remoteAddress: String?
  /// What `Vary` names, with a digest of what the request had there: a secret is not kept.
  let selectors: [String: String]
  /// Told apart from records of another make, which are no records then.
  private let version: Int

  private static let version = 1
  /// Far enough for every clock, and near enough to reckon with.
  private static let times: ClosedRange<Int64> = 0...(1 << 40)

  init(
    declaredType: String?,
    fields: HTTPCachingFields,
    requestedAt: Int64,
    receivedAt: Int64,
    remoteAddress: String?,
    selectors: [String: String]
  ) {
    self.declaredType = declaredType
    self.fields = fields
    self.requestedAt = min(max(requestedAt, 0), Self.times.upperBound)
    self.receivedAt = min(max(receivedAt, 0), Self.times.upperBound)
    self.remoteAddress = remoteAddress
    self.selectors = selectors
    version = Self.version
  }

  /// Reads what `encoded()` wrote.
  ///
  /// Makes nothing where the bytes are anything else: then the answer is fetched again.
  ///
  /// - Parameter encoded: The metadata of a stored file.
  package init?(encoded: [UInt8]) {
    guard let record = try? JSONDecoder().decode(Self.self, from: Data(encoded)),
      record.version == Self.version, record.fields.isSound,
      Self.times.contains(record.requestedAt), Self.times.contains(record.receivedAt)
    else { return nil }
    self = record
  }

  /// The record as bytes.
  ///
  /// - Returns: JSON; nothing where a text in it is none, which is then not stored.
  package func encoded() -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { Array($0) }
  }

  /// How long the answer is fresh, in seconds, from the moment its origin made it.
  ///
  /// `max-age`, else `Expires`, else a tenth of the time since the last change, at most a day
  /// (RFC 9111, section 4.2.2).
  package var lifetime: Int64 {
    if let stated = directives.lifetime { return stated }
    if let expires = fields.expires {
      guard let end = HTTPDate.seconds(in: expires, now: receivedAt) else { return 0 }
      return min(max(end - date, 0), HTTPCachingDirectives.longestLifetime)
    }
    guard let text = fields.lastModified,
      let change = HTTPDate.seconds(in: text, now: receivedAt)
    else { return 0 }
    return min(max(date - change, 0) / 10, 86_400)
  }

  /// How old the answer was when it came, in seconds (RFC 9111, section 4.2.3).
  package var initialAge: Int64 {
    let apparent = max(receivedAt - date, 0)
    let stated =
      fields.age.flatMap { HTTPCachingDirectives.seconds($0.utf8.prefix { $0 != 44 }) } ?? 0
    return max(apparent, stated + max(receivedAt - requestedAt, 0))
  }

  /// Whether it may be used without asking.
  func isFresh(at now: Int64) -> Bool {
    // A clock that was set back says nothing about the age.
    guard !directives.demandsRevalidation, now >= receivedAt else { return false }
    return lifetime > initialAge + (now - receivedAt)
  }

  /// What asks the origin whether it is still the same; empty where there is no way to.
  var validators: [String] {
    var lines: [String] = []
    if let tag = fields.entityTag { lines.append("If-None-Match: \(tag)") }
    // Sent back as it came, but never anything that is no date: the record comes from a file.
    if let text = fields.lastModified, HTTPDate.seconds(in: text, now: receivedAt) != nil {
      lines.append("If-Modified-Since: \(text)")
    }
    return lines
  }

  var directives: HTTPCachingDirectives {
    HTTPCachingDirectives(fields.cacheControl)
  }

  /// `Date`, or when the answer came (RFC 9110, section 6.6.1).
  private var date: Int64 {
    fields.date.flatMap { HTTPDate.seconds(in: $0, now: receivedAt) } ?? receivedAt
  }
}
