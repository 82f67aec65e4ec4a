public import AttachmentModel
import TimeBudgets

extension Downloader {
  /// How to fetch; every default is stated with its unit.
  public struct Configuration: Sendable, Hashable {
    /// One attempt, body included; default: what remains of the budget.
    public var timeout: Duration?
    /// Look-up, TCP and TLS together; default: 5 s.
    public var connectTimeout: Duration = .seconds(5)
    /// From the request to the first byte of the answer; default: 10 s.
    public var firstByteTimeout: Duration = .seconds(10)
    /// The window in which at least 1 kB must come; default: 5 s.
    public var stallTimeout: Duration = .seconds(5)
    /// Redirects followed; default: 10.
    public var maximumRedirects = 10
    /// Attempts after the first, where the failure may pass; default: 2.
    public var retries = 2
    /// Whether a transfer ends as soon as its rate cannot make the budget; default: false.
    public var isDeadlineAware = false
    /// Transfers at once; default: 32.
    public var concurrency = 32
    /// Transfers at once to one host; default: 6.
    public var perHost = 6
    /// The folder that answers are kept in between runs; default: none is kept.
    public var cacheFolder: String?
    /// The most bytes that kept answers may take; default: 1 GB.
    public var cacheQuota = ByteCount.megabytes(1_000)
    /// Which addresses may be connected to; default: public ones.
    public var addresses = AddressPolicy()
    /// Extra request headers, `Name: value`, sent to the first host only; default: none.
    public var headers: [String] = []
    /// The `User-Agent` header; default: `Affix`.
    public var userAgent = "Affix"
    /// A PEM file with the certificate authorities to trust; default: the system's.
    public var certificateAuthorities: String?

    /// The defaults.
    public init() {}

    /// What is wrong with this configuration, in words; nothing where it is sound.
    public func validate() -> String? {
      let durations: [(String, Duration)] = [
        ("connect timeout", connectTimeout), ("first-byte timeout", firstByteTimeout),
        ("stall timeout", stallTimeout), ("timeout", timeout ?? .seconds(1)),
      ]
      for (name, duration) in durations where duration <= .zero {
        return "the \(name) is \(duration.exactly); it must be more than nothing"
      }
      if !(0...50).contains(maximumRedirects) {
        return "\(maximumRedirects) redirects; 0 to 50 can be followed"
      }
      if !(0...20).contains(retries) {
        return "\(retries) retries; it must be 0 to 20"
      }
      if !(1...4_096).contains(concurrency) {
        return "a concurrency of \(concurrency); it must be 1 to 4,096"
      }
      if !(1...4_096).contains(perHost) {
        return "\(perHost) transfers a host; it must be 1 to 4,096"
      }
      for header in headers where !Self.isHeader(header) {
        return "a header without a name and a colon, or with a line break; write Name: value"
      }
      if Self.endsLine(userAgent) { return "a user agent with a line break; leave it out" }
      return nil
    }

    /// Whether a text would end its header line before its own end.
    private static func endsLine(_ text: String) -> Bool {
      text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
    }

    private static func isHeader(_ text: String) -> Bool {
      guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return false }
      let tokens = "!#$%&'*+-.^_`|~"
      return text[..<colon].allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || tokens.contains($0))
      } && !endsLine(text)
    }
  }
}
