import AttachmentModel
import PolicyChecking

extension Settings {
  /// The previews that are asked for; none where none is.
  var previewRequests: [PreviewRequest] {
    guard !isQuick, !skipsPreviews else { return [] }
    let limit = previewLimit ?? usualPreviewLimit
    return previewSizes.map {
      PreviewRequest(size: $0, limit: limit, crop: crop, isAnimated: wantsAnimation)
    }
  }

  /// A preview is sent in the place of what is rejected, so each policy has to take it.
  private var usualPreviewLimit: ByteCount {
    let limits = policies.compactMap { $0.limits(for: .jpeg)?.maxBytes }
    return min(PreviewRequest().limit, limits.min() ?? PreviewRequest().limit)
  }

  /// Refuses what cannot be had together.
  func checkPreviews() throws(UsageError) {
    guard crop != .none else { return }
    for case .longEdge(let edge) in previewSizes {
      throw UsageError(
        "--crop \(crop.rawValue) needs a frame to fill, and a size of \(edge) has only a longer "
          + "side; write both sides, as in --preview-size 1440x720"
      )
    }
  }
}
