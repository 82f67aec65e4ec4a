import AttachmentModel
import Downloading
import MediaSniffing
import PolicyChecking

/// Ends a transfer as soon as its first bytes settle the verdict.
struct MediaScreening: Sendable {
  let policies: [AttachmentPolicy]
  /// Whether previews or repairs are wanted: a picture that no policy accepts is then fetched all
  /// the same, since they are its remedy.
  let wantsPixels: Bool

  /// The screening that suits a check.
  init(_ terms: CheckTerms) {
    policies = terms.policies
    wantsPixels = terms.wantsPreviews || terms.repairs
  }

  /// The rules that a transfer is held against.
  var rules: ScreeningRules {
    ScreeningRules(sizeLimit: policies.map(\.largestSize).max() ?? ByteCount(0)) { _, prefix in
      judge(prefix)
    }
  }

  private func judge(_ prefix: [UInt8]) -> Screening {
    switch FormatSignature.recognize(prefix, isWhole: false) {
    case .undecided: .more
    case .unknown: .proceed
    case .recognized(let format, _, let settles):
      settles && !isWanted(format) ? .settled(EarlyEnd(.unsupportedType)) : .proceed
    }
  }

  private func isWanted(_ format: MediaFormat) -> Bool {
    policies.contains { $0.accepts(format) } || (wantsPixels && format.isDecodable)
  }
}
