public import AttachmentModel
import TimeBudgets

/// Why a source could not be obtained.
public struct DownloadError: Error, Sendable, Hashable {
  /// The closed set of reasons; raw values are what reports print.
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not an address at all, or an ambiguous one.
    case invalidURL = "invalid-url"
    /// A scheme other than http and https, also behind a redirect.
    case unsupportedScheme = "unsupported-scheme"
    /// An address that may not be connected to.
    case blockedAddress = "blocked-address"
    /// A port that may not be connected to.
    case blockedPort = "blocked-port"
    /// The host's name has no address.
    case nameNotResolved = "name-not-resolved"
    /// The host refused the connection.
    case connectionRefused = "connection-refused"
    /// No connection within its time.
    case connectTimedOut = "connect-timed-out"
    /// No trustworthy TLS connection.
    case tlsFailed = "tls-failed"
    /// No first byte in its time, or the attempt's end.
    case timedOut = "timed-out"
    /// Data came, but slower than the stall rate.
    case stalled
    /// The allowance is over.
    case budgetSpent = "budget-spent"
    /// More redirects than allowed.
    case tooManyRedirects = "too-many-redirects"
    /// The origin answered 4xx or 5xx.
    case httpStatus = "http-status"
    /// The body is shorter than its own framing says.
    case incompleteBody = "incomplete-body"
    /// The content coding is broken or unknown.
    case badEncoding = "bad-encoding"
    /// No or a broken answer.
    case protocolError = "protocol-error"
    /// No room, or no permission, to store the bytes.
    case storageFull = "storage-full"
    /// A local file that is missing, no regular file, or not readable.
    case unreadable
    /// The caller gave up.
    case cancelled
  }

  /// Which reason.
  public let code: Code
  /// What happened, with value and limit, in one line, without query strings or user information.
  public private(set) var message: String

  /// Whether the connection broke before an answer's head came, which may not happen again.
  package private(set) var isBrokenConnection = false

  /// How far the transfer came, where it began.
  @Indirect public internal(set) var metrics: TransferMetrics?

  /// A reason with its explanation.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The same, where it is said of which host: after a redirect it is none that the caller knows.
  ///
  /// - Parameter host: Where the last redirect led.
  /// - Returns: Itself, where it is about something else than the host.
  func behindRedirect(to host: String) -> Self {
    switch code {
    case .nameNotResolved, .blockedAddress, .connectionRefused, .connectTimedOut, .tlsFailed,
      .timedOut, .stalled, .httpStatus, .incompleteBody, .badEncoding, .protocolError:
      var error = self
      error.message = "behind a redirect to \(host): \(message)"
      return error
    case .invalidURL, .unsupportedScheme, .blockedPort, .budgetSpent, .tooManyRedirects,
      .storageFull, .unreadable, .cancelled:
      return self
    }
  }

  /// The same where it was not for want of trying.
  func after(retries: Int) -> Self {
    var error = self
    error.message += "; \(retries) \(retries == 1 ? "retry" : "retries") did not help"
    return error
  }

  /// The same of an answer that asks for a longer wait than there is time for.
  ///
  /// - Parameters:
  ///   - wait: What `Retry-After` says.
  ///   - budget: What there is.
  /// - Returns: Itself, with both told.
  func asking(for wait: Duration, of budget: TimeBudget) -> Self {
    var error = self
    error.message +=
      "; it asks to wait \(wait.exactly) (Retry-After), and \(budget.phrase) has "
      + "\(budget.remaining.rounded) left"
    return error
  }

  /// The connection broke before the answer's head.
  package static func brokenConnection(_ message: String) -> Self {
    var error = Self(.protocolError, message)
    error.isBrokenConnection = true
    return error
  }
}
