import Glibc
import TimeBudgets

/// Who may ask for what.
struct AccessRules: Sendable {
  /// What a route demands.
  enum Demand: Sendable {
    /// Anybody may ask.
    case nothing
    /// A token, where there are any.
    case token
    /// A token, or an address that is signed.
    case tokenOrSignature
  }

  /// Who asks.
  struct Caller: Sendable {
    /// What rate limits and logs tell callers apart by: a token's label, else an address.
    var name: String
    /// When a signed address expires, where that is what lets the caller in.
    var signedUntil: Int64?
  }

  let tokens: AccessTokens
  let signer: URLSigner?
  /// Whether only this machine reaches the service, so that it is open without tokens.
  let isLocal: Bool
  /// Origins whose pages may read answers.
  let origins: [String]

  /// Lets a request in, or tells why not.
  ///
  /// - Parameters:
  ///   - head: The request.
  ///   - target: Its target, taken apart.
  ///   - demand: What its route demands.
  /// - Returns: Who asks.
  /// - Throws: `unauthorized`, `forbidden`, `invalid-signature`.
  func admit(
    _ head: RequestHead,
    _ target: RequestTarget,
    _ demand: Demand
  ) throws(Problem) -> Caller {
    let caller = Caller(name: head.clientAddress)
    guard case .nothing = demand else {
      if case .tokenOrSignature = demand, target.query.contains(where: { $0.name == "signature" }) {
        return try admitSigned(head, target)
      }
      return tokens.isEmpty ? try admitLocal(head, caller) : try admitToken(head)
    }
    return caller
  }

  private func admitSigned(
    _ head: RequestHead,
    _ target: RequestTarget
  ) throws(Problem) -> Caller {
    let path = String(head.targetText.prefix { $0 != "?" })
    guard let expiry = signer?.expiry(of: target, path: path, now: Int64(time(nil))) else {
      throw Problem(
        .invalidSignature,
        "the signature is wrong, or its time is over (--results-lifetime), or its key is none of the "
          + "service's (--signing-keys-file); check the attachment again for new links"
      )
    }
    return Caller(name: head.clientAddress, signedUntil: expiry)
  }

  private func admitToken(_ head: RequestHead) throws(Problem) -> Caller {
    let remedy = "send 'Authorization: Bearer TOKEN' with one of the service's (--tokens-file)"
    let values = head.values(of: "authorization")
    guard let value = values.first else {
      throw Problem(.unauthorized, "there is no token; \(remedy)")
    }
    let words = value.split(separator: " ")
    guard values.count == 1, words.count == 2, words[0].lowercased() == "bearer" else {
      throw Problem(.unauthorized, "'Authorization' is not one bearer token; \(remedy)")
    }
    guard let label = tokens.label(of: String(words[1])) else {
      throw Problem(.unauthorized, "the token is none of those that are taken; \(remedy)")
    }
    return Caller(name: label)
  }

  /// Without tokens a page in somebody's browser could ask as well as that person: by a name that
  /// was made to point here (then `Host` tells), or across origins (then the browser tells).
  private func admitLocal(_ head: RequestHead, _ caller: Caller) throws(Problem) -> Caller {
    let hosts = head.values(of: "host")
    guard isLocal, hosts.count == 1, Self.isLocalHost(hosts[0]) else {
      throw Problem(
        .forbidden,
        "without tokens (--tokens-file) only this machine itself is served: ask it as localhost, "
          + "127.0.0.1 or [::1]"
      )
    }
    if let origin = head["origin"], !origins.contains(origin), !Self.isSame(origin, hosts[0]) {
      throw Problem(
        .forbidden,
        "pages of the origin '\(origin.beginning(128))' may not ask unless the service allows it "
          + "(--allow-origin)"
      )
    }
    if let site = head["sec-fetch-site"], site == "cross-site", head["origin"] == nil {
      throw Problem(
        .forbidden,
        "pages of other sites may ask only where they send their origin, and the service allows it "
          + "(--allow-origin)"
      )
    }
    return caller
  }

  private static func isLocalHost(_ value: String) -> Bool {
    guard let host = HostField(value) else { return false }
    return host.name.lowercased() == "localhost" || ListeningSocket.isLoopback(host.name)
  }

  private static func isSame(_ origin: String, _ host: String) -> Bool {
    ["http://\(host)", "https://\(host)"].contains(origin)
  }
}
