public import AttachmentModel
public import PolicyChecking

extension HTTPService {
  /// How to serve; every default is stated with its unit.
  public struct Configuration: Sendable {
    /// What a checked part may be.
    public struct Limits: Sendable, Hashable {
      /// The most bytes of an uploaded attachment; default: 50 MB.
      public var body = ByteCount.megabytes(50)
      /// The most bytes of a batch; default: 64 MB.
      public var batch = ByteCount.megabytes(64)
      /// Checks at once; default: 32.
      public var checks = 32
      /// Requests that wait for a check; what comes beyond is refused; default: 128.
      public var queue = 128
      /// Jobs accepted and not finished; default: 1,000.
      public var jobs = 1_000
      /// Requests a second of one caller; default: no limit.
      public var rate = 0
      /// Connections at once; default: 1,024.
      public var connections = 1_024
      /// How long a request line may take to arrive, and then the rest of the head; default: 10 s.
      public var head: Duration = .seconds(10)
      /// The longest budget that a request may ask for; default: 2 min.
      public var longestBudget: Duration = .seconds(120)

      /// The defaults.
      public init() {}
    }

    /// The numeric address to listen on; default: 127.0.0.1.
    public var address = "127.0.0.1"
    /// The port to listen on; 0 lets the system choose; default: 8470.
    public var port: UInt16 = 8_470
    /// PEM texts of certificate chain and key; default: plain HTTP.
    public var certificate: (chain: String, key: String)?
    /// Who may ask; default: this machine only.
    public var tokens = AccessTokens()
    /// What signs public addresses; default: none are made.
    public var signer: URLSigner?
    /// What stands before the path of public addresses, as in `https://push.example.com`.
    public var publicURL: String?
    /// Origins whose pages may read answers; default: none.
    public var origins: [String] = []
    /// What there is at most of everything.
    public var limits = Limits()
    /// The folder for results, made where it is missing.
    public var resultsFolder: String
    /// The most bytes that results may take; default: 1 GB.
    public var resultsQuota = ByteCount.megabytes(1_000)
    /// How long results live; default: 1 h.
    public var lifetime: Duration = .seconds(3_600)
    /// Whether fetched and uploaded files are kept beside their previews; default: true.
    public var keepsContent = true
    /// Policies by name that requests may ask for, besides those that come with Affix.
    public var policies: [AttachmentPolicy] = []
    /// What this build calls itself.
    public var version = "0"

    /// The defaults, with a folder for results.
    public init(resultsFolder: String) {
      self.resultsFolder = resultsFolder
    }

    /// What is wrong with this configuration, in words; nothing where it is sound.
    public func validate() -> String? {
      if tokens.isEmpty, !ListeningSocket.isLoopback(address) {
        return "\(address) can be reached by others, so tokens are needed: name a file with "
          + "--tokens-file (AFFIX_TOKENS_FILE), or listen on 127.0.0.1 or ::1"
      }
      if publicURL != nil, signer == nil {
        return
          "a public address (--public-url) needs keys that sign what lies there: --signing-keys-file"
      }
      if let publicURL, !Self.isWebAddress(publicURL) {
        return "the public address '\(publicURL)' must begin with https:// or http://, and have no "
          + "query"
      }
      if let origin = origins.first(where: { !Self.isOrigin($0) }) {
        return "the origin '\(origin)' must be a scheme and a host as browsers send them, in lower "
          + "case and without a slash at the end, as in https://example.com"
      }
      return nil
    }

    /// Whether a browser could send this as `Origin` (RFC 6454, section 6.2): what differs from that
    /// in anything would let nobody ask, and nobody would be told.
    private static func isOrigin(_ text: String) -> Bool {
      let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
      guard isWebAddress(text), parts.count == 2, let host = parts.last, !host.isEmpty else {
        return false
      }
      let usualPort = parts[0] == "https" ? ":443" : ":80"
      return !host.contains { "/@*".contains($0) } && text == text.lowercased()
        && !host.hasSuffix(usualPort)
    }

    private static func isWebAddress(_ text: String) -> Bool {
      (text.hasPrefix("https://") || text.hasPrefix("http://"))
        && !text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    }
  }
}
