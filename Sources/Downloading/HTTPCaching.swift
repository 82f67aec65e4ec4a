import Cryptography

/// The decisions of a private cache, made from fields and times alone (RFC 9111).
package enum HTTPCaching {
  /// The request that an answer belongs to.
  package struct Request: Sendable, Hashable {
    /// Every field that is sent, `Name: value`, those of every request included.
    package let fields: [String]
    /// Whether it may show who asks: fields given with `--header`, or user information.
    package let hasCredentials: Bool

    /// A GET request.
    package init(fields: [String], hasCredentials: Bool) {
      self.fields = fields
      self.hasCredentials = hasCredentials
    }
  }

  /// Whether an answer is kept.
  package enum Storing: Sendable, Hashable {
    /// Neither kept nor left: what is stored under its key is out of date.
    case doNotStore
    /// Kept, with this as its metadata.
    case store(CachedResponse)
  }

  /// What a kept answer is good for.
  package enum Use: Sendable, Hashable {
    /// Its body is the answer; nobody is asked.
    case fresh
    /// Ask with these fields, `Name: value`; 304 means that the body is still the answer.
    case revalidate(headers: [String])
    /// Ask as if there were none.
    case unusable
  }

  /// What a 304 makes of the answer that was asked about.
  package enum Revalidation: Sendable, Hashable {
    /// Its body is the answer; the new metadata takes the place of the old.
    case use(CachedResponse)
    /// Its body is the answer for the last time; the entry is to be removed.
    case useOnce
    /// The 304 is about something else: remove the entry and ask again, without its validators.
    case mismatch
  }

  /// Decides about an answer whose body has come whole.
  ///
  /// - Parameters:
  ///   - status: Its status; only 200 is ever kept.
  ///   - fields: Its fields.
  ///   - declaredType: Its `Content-Type`.
  ///   - request: What it answers.
  ///   - requestedAt: When the request was sent, in seconds since 1970.
  ///   - receivedAt: When the head came, in seconds since 1970.
  ///   - remoteAddress: The numeric address that it came from.
  /// - Returns: What to keep, if anything.
  package static func storing(
    status: Int,
    fields: HTTPCachingFields,
    declaredType: String?,
    for request: Request,
    requestedAt: Int64,
    receivedAt: Int64,
    from remoteAddress: String?
  ) -> Storing {
    guard status == 200, isCacheable(request),
      let selectors = selectors(in: fields, for: request)
    else { return .doNotStore }
    let response = CachedResponse(
      declaredType: declaredType,
      fields: fields,
      requestedAt: requestedAt,
      receivedAt: receivedAt,
      remoteAddress: remoteAddress,
      selectors: selectors
    )
    return isWorthKeeping(response, request) ? .store(response) : .doNotStore
  }

  /// Decides how a kept answer serves a request.
  ///
  /// - Parameters:
  ///   - response: What was kept under the request's address.
  ///   - request: The request about to be sent.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether to ask, and how.
  package static func use(_ response: CachedResponse, for request: Request, at now: Int64) -> Use {
    guard isCacheable(request), !request.hasCredentials || response.directives.isPublic,
      selectors(in: response.fields, for: request) == response.selectors
    else { return .unusable }
    if response.isFresh(at: now), !demandsRevalidation(request) { return .fresh }
    return response.validators.isEmpty ? .unusable : .revalidate(headers: response.validators)
  }

  /// Decides what a 304 means for the answer whose validators were sent.
  ///
  /// - Parameters:
  ///   - response: The kept answer.
  ///   - fields: The fields of the 304.
  ///   - request: What the 304 answers.
  ///   - requestedAt: When that was sent, in seconds since 1970.
  ///   - receivedAt: When the 304 came, in seconds since 1970.
  /// - Returns: Whether the body is still good, and what to keep.
  package static func freshened(
    _ response: CachedResponse,
    by fields: HTTPCachingFields,
    for request: Request,
    requestedAt: Int64,
    receivedAt: Int64
  ) -> Revalidation {
    if let tag = fields.entityTag, let kept = response.fields.entityTag {
      // A strong validator selects only what bears the same (RFC 9111, section 4.3.4); weak
      // comparison is enough here, since the origin compared just so.
      guard opaque(tag) == opaque(kept) else { return .mismatch }
    }
    let updated = response.fields.updated(by: fields)
    guard let selectors = selectors(in: updated, for: request) else { return .useOnce }
    let renewed = CachedResponse(
      declaredType: response.declaredType,
      fields: updated,
      requestedAt: requestedAt,
      receivedAt: receivedAt,
      remoteAddress: response.remoteAddress,
      selectors: selectors
    )
    return isWorthKeeping(renewed, request) ? .use(renewed) : .useOnce
  }

  private static func isWorthKeeping(_ response: CachedResponse, _ request: Request) -> Bool {
    guard !response.fields.isCut, !response.directives.forbidsStoring,
      !request.hasCredentials || response.directives.isPublic
    else { return false }
    return !response.validators.isEmpty || response.isFresh(at: response.receivedAt)
  }

  /// A part of a body, or an answer to a condition of the caller's own, is not the whole.
  private static let conditions: Set = [
    "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
  ]

  private static func isCacheable(_ request: Request) -> Bool {
    let names = request.fields.compactMap { field($0)?.name }
    guard conditions.isDisjoint(with: names) else { return false }
    return !HTTPCachingDirectives(values(of: "cache-control", in: request)).forbidsStoring
  }

  private static func demandsRevalidation(_ request: Request) -> Bool {
    let directives = HTTPCachingDirectives(values(of: "cache-control", in: request))
    return directives.demandsRevalidation || directives.lifetime != nil
      || values(of: "pragma", in: request).lowercased().contains("no-cache")
  }

  /// What `Vary` names, with digests of the request's values.
  ///
  /// - Returns: Nothing where no request will ever match.
  private static func selectors(
    in fields: HTTPCachingFields,
    for request: Request
  ) -> [String: String]? {
    var selectors: [String: String] = [:]
    for part in fields.vary.split(separator: ",") {
      let name = trimmed(part).lowercased()
      guard name != "*" else { return nil }
      guard !name.isEmpty, selectors[name] == nil else { continue }
      guard selectors.count < 32 else { return nil }
      let hasher = SHA256Hasher()
      hasher.update(values(of: name, in: request).utf8)
      selectors[name] = hasher.finalize().hexadecimal
    }
    return selectors
  }

  private static func values(of name: String, in request: Request) -> String {
    request.fields.compactMap { field($0) }.filter { $0.name == name }.map(\.value)
      .joined(separator: ", ")
  }

  private static func field(_ line: String) -> (name: String, value: String)? {
    guard let colon = line.utf8.firstIndex(of: 58) else { return nil }
    return (trimmed(line[..<colon]).lowercased(), trimmed(line[line.utf8.index(after: colon)...]))
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }

  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}
