import AttachmentModel
import Downloading
import PolicyChecking

/// Every code that a report can carry, with what it means.
///
/// The switches have no default, so that a code without a meaning does not compile.
enum CodeTable {
  /// Where in a report a code stands.
  enum Kind: String, Sendable, Encodable {
    case violation
    case warning
    case error
    case preview
  }

  /// One code.
  struct Entry: Sendable, Encodable {
    let kind: Kind
    let code: String
    let meaning: String
  }

  /// All of them, a kind after the other.
  static var entries: [Entry] {
    let rules = PolicyCode.allCases.map { code in
      let (kind, meaning) = explain(code)
      return Entry(kind: kind, code: code.rawValue, meaning: meaning)
    }
    let errors = DownloadError.Code.allCases.map { code in
      Entry(kind: .error, code: code.rawValue, meaning: explain(code))
    }
    let previews = PreviewError.Code.allCases.map { code in
      Entry(kind: .preview, code: code.rawValue, meaning: explain(code))
    }
    return rules.filter { $0.kind == .violation } + rules.filter { $0.kind == .warning } + errors
      + previews
  }

  private static func explain(_ code: PolicyCode) -> (Kind, String) {
    switch code {
    case .empty: (.violation, "there are no bytes")
    case .unsupportedType: (.violation, "the format is recognised, but not accepted")
    case .encrypted: (.violation, "the samples are encrypted")
    case .corrupt: (.violation, "the structure contradicts itself, or there is none")
    case .truncated: (.violation, "the file ends before its own structure says")
    case .unsupportedVariant: (.violation, "a variant of the format that devices cannot decode")
    case .noMedia: (.violation, "a container without a usable track")
    case .polyglot: (.violation, "two formats in the same bytes")
    case .tooLarge: (.violation, "more bytes than the limit")
    case .tooManyPixels: (.violation, "more pixels than the limit")
    case .tooManyFrames: (.violation, "more frames than the limit")
    case .tooLong: (.violation, "longer playing time than the limit")
    case .tooSlow: (.violation, "too slow on a network that the policy names")
    case .videoCodec: (.violation, "a video codec that devices do not play")
    case .audioCodec: (.violation, "an audio codec that devices do not play")
    case .mislabelled: (.violation, "the extension or type hint names something else")
    case .filenameExtension: (.warning, "no extension, or another format's of the same class")
    case .declaredType: (.warning, "the Content-Type header names another format")
    case .platformLimit: (.warning, "accepted by the policy, refused by Apple's table")
    case .notStreamable: (.warning, "the index stands behind the media: no playing while loading")
    case .animated: (.warning, "an animation, which some places show as a still")
    case .memory: (.warning, "decoded, it comes near what an extension may use")
    case .insecureURL: (.warning, "http, which App Transport Security refuses by default")
    case .slow: (.warning, "misses the budget on a named network")
    case .adts: (.warning, "AAC without a container, which Apple's table does not name")
    case .hev1: (.warning, "HEVC tagged hev1, which Apple's players refuse")
    case .lastFrameCut: (.warning, "the last audio frame is cut; the rest plays")
    case .trailingData: (.warning, "bytes behind the end of the media")
    case .retried: (.warning, "it took more than one attempt; a phone may make only one")
    case .metadataLocation: (.warning, "the metadata tell where it was taken")
    }
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
