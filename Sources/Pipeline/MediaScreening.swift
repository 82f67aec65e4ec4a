import AttachmentModel
import Downloading
import MediaSniffing
import PolicyChecking

/// Ends a transfer as soon as its first bytes settle the verdict.
struct MediaScreening: Sendable {
  let policies: [AttachmentPolicy]
  /// Whether previews or repairs are wanted: a picture that no policy accepts, or that is too large
  /// for it, is then fetched all the same, since they are its remedy.
  let wantsPixels: Bool

  /// The screening that suits a check.
  init(_ terms: CheckTerms) {
    policies = terms.policies
    wantsPixels = terms.wantsPreviews || terms.repairs
  }

  /// How large a picture may be that is fetched for its remedy: as large as `push` takes one.
  private static let remedySize = ByteCount.megabytes(50)

  /// The rules that a transfer is held against.
  var rules: ScreeningRules {
    ScreeningRules(sizeLimit: wantsPixels ? max(acceptedSize, Self.remedySize) : acceptedSize) {
      judge($1)
    }
  }

  /// The most bytes that any of the policies accepts of anything.
  private var acceptedSize: ByteCount {
    policies.map(\.largestSize).max() ?? ByteCount(0)
  }

  private func judge(_ prefix: [UInt8]) -> Screening {
    switch FormatSignature.recognize(prefix, isWhole: false) {
    case .undecided: .more
    case .unknown: .proceed(upTo: acceptedSize)
    case .recognized(let format, _, let settles):
      if settles && !isWanted(format) {
        .settled(EarlyEnd(.unsupportedType))
      } else {
        .proceed(upTo: wantsPixels && format.isDecodable ? nil : acceptedSize)
      }
    }
  }

  private func isWanted(_ format: MediaFormat) -> Bool {
    policies.contains { $0.accepts(format) } || (wantsPixels && format.isDecodable)
  }
}
