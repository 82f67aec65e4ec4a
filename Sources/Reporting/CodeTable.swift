import AttachmentModel
import Downloading
import Pipeline
import PolicyChecking

/// Every code that a report can carry, with what it means.
///
/// The switches have no default, so that a code without a meaning does not compile.
public enum CodeTable {
  /// Where in a report a code stands.
  public enum Kind: String, Sendable, Encodable {
    case violation
    case warning
    case error
    case preview
    /// Not in a report, but in what the service answers in place of one.
    case problem
  }

  /// One code.
  public struct Entry: Sendable, Encodable {
    /// Where it stands.
    public let kind: Kind
    /// As reports print it.
    public let code: String
    /// In one line, without a period.
    public let meaning: String

    /// A code with its meaning.
    ///
    /// - Parameters:
    ///   - kind: Where it stands.
    ///   - code: As it is printed.
    ///   - meaning: In one line, without a period.
    public init(_ kind: Kind, _ code: String, _ meaning: String) {
      self.kind = kind
      self.code = code
      self.meaning = meaning
    }
  }

  /// All of them, a kind after the other.
  public static var entries: [Entry] {
    let rules = PolicyCode.allCases.map { code in
      Entry(code.isWarning ? .warning : .violation, code.rawValue, code.summary)
    }
    let missing = PipelineError.Code.libraryUnavailable
    let errors =
      DownloadError.Code.allCases.map { Entry(.error, $0.rawValue, explain($0)) }
      + [Entry(.error, missing.rawValue, "a library that examines files is missing, or of no use")]
    let previews = PreviewError.Code.allCases.map { code in
      Entry(.preview, code.rawValue, explain(code))
    }
    return rules.filter { $0.kind == .violation } + rules.filter { $0.kind == .warning } + errors
      + previews
  }

  private static func explain(_ code: DownloadError.Code) -> String {
    switch code {
    case .invalidURL: "no address, or an ambiguous one"
    case .unsupportedScheme: "a scheme other than http and https"
    case .blockedAddress: "an address that may not be connected to"
    case .blockedPort: "a port that may not be connected to"
    case .nameNotResolved: "the host's name has no address"
    case .connectionRefused: "the host refused the connection"
    case .connectTimedOut: "no connection within --connect-timeout"
    case .tlsFailed: "no trustworthy TLS connection"
    case .timedOut: "no first byte within --first-byte-timeout, or the attempt's end"
    case .stalled: "data came too slowly within --stall-timeout"
    case .budgetSpent: "the budget is over"
    case .tooManyRedirects: "more redirects than --max-redirects"
    case .httpStatus: "the origin answered 4xx or 5xx"
    case .incompleteBody: "the body is shorter than its own framing says"
    case .badEncoding: "the content coding is broken or unknown"
    case .protocolError: "no answer, or a broken one"
    case .storageFull: "no room, or no permission, to store the bytes"
    case .unreadable: "a local file that is missing, no regular file, or not readable"
    case .cancelled: "the caller gave up"
    }
  }

  private static func explain(_ code: PreviewError.Code) -> String {
    switch code {
    case .cannotFit: "not even the smallest picture fits --preview-bytes"
    case .undecodable: "no pixels could be decoded"
    case .budgetSpent: "the budget was over before the preview was ready"
    case .noCover: "audio without cover art"
    case .movie: "a movie; its frames are not decoded"
    case .tooManyPixels: "more pixels than the limit, judged from the header"
    }
  }
}
