import AttachmentModel
import PolicyChecking

/// What would make a file deliverable everywhere, decided from its report.
enum RepairPlan: Hashable {
  /// Nothing is wrong that a repair could mend.
  case unneeded
  /// The same bytes under the extension of their format.
  case rename
  /// The picture is encoded again, as large as the policies let it be.
  case encode(PreviewRequest)
  /// It cannot be mended, for this reason.
  case impossible(PreviewError)

  /// What the bytes do not hold, or hold wrongly: a repair would show less than what was meant.
  private static let hopeless: Set<PolicyCode> = [
    .empty, .corrupt, .truncated, .unsupportedVariant, .noMedia, .encrypted,
  ]
  /// What goes away when a picture is encoded again.
  private static let encodable: Set<PolicyCode> = [
    .unsupportedType, .polyglot, .tooLarge, .tooManyPixels, .tooManyFrames, .platformLimit,
    .trailingData,
  ]
  /// What goes away under another name.
  private static let renamable: Set<PolicyCode> = [.mislabelled, .filenameExtension]

  /// Decides.
  ///
  /// - Parameters:
  ///   - evidence: What is known of the file.
  ///   - findings: What each policy says to it.
  ///   - policies: The policies, all of which have to take the repaired file.
  init(
    _ evidence: AttachmentEvidence,
    _ findings: [PolicyFindings],
    under policies: [AttachmentPolicy]
  ) {
    let ranked = findings.flatMap(\.violations).map(\.code)
    let violations = Set(ranked)
    let codes = violations.union(findings.flatMap(\.warnings).map(\.code))
    guard let inspection = evidence.inspection else {
      self = .unneeded
      return
    }
    if let hopeless = ranked.first(where: Self.hopeless.contains) {
      self = .impossible(
        PreviewError(
          .undecodable,
          "\(hopeless.rawValue) cannot be mended here; the file has to be made anew"
        )
      )
      return
    }
    let needsEncode =
      !codes.isDisjoint(with: Self.encodable)
      || inspection.kind == .image && (inspection.orientation ?? 1) != 1
      || evidence.examination?.isCMYK == true
    guard !violations.isSubset(of: Self.renamable) || needsEncode && inspection.kind == .image
    else {
      self = codes.isDisjoint(with: Self.renamable) ? .unneeded : .rename
      return
    }
    self = Self.encoding(evidence, inspection, codes, under: policies)
  }

  private static func encoding(
    _ evidence: AttachmentEvidence,
    _ inspection: MediaInspection,
    _ codes: Set<PolicyCode>,
    under policies: [AttachmentPolicy]
  ) -> RepairPlan {
    guard inspection.kind == .image else {
      return .impossible(PreviewError(.undecodable, "only pictures are encoded again"))
    }
    guard evidence.transfer?.earlyEnd == nil, evidence.examination?.decoding == .whole else {
      return .impossible(PreviewError(.undecodable, "its pixels were not decoded"))
    }
    guard inspection.format != .apng else {
      return .impossible(
        PreviewError(.undecodable, "an animated PNG would lose all frames but its first")
      )
    }
    // Every policy, and the platform whose refusals one of them warns of.
    let judges = policies + policies.compactMap(\.platform).compactMap(AttachmentPolicy.builtIn)
    let stays = (inspection.frames ?? 1) > 1 && !codes.contains(.tooManyFrames)
    let isAnimated = stays && judges.allSatisfy { $0.accepts(.gif) }
    let formats = PreviewRequest().formats.filter { format in
      (format != .gif || isAnimated) && judges.allSatisfy { $0.accepts(format) }
    }
    // Each is of a format that may be chosen: which it is depends on the pixels.
    let limits = judges.flatMap { judge in formats.compactMap { judge.limits(for: $0) } }
    let sizes = limits.map { $0.maxBytes ?? AttachmentPolicy.usualLimit }
    guard !formats.isDisjoint(with: [.jpeg, .png]), let bytes = sizes.min() else {
      return .impossible(
        PreviewError(.cannotFit, "the policies have no format in common that can be written here")
      )
    }
    return .encode(
      PreviewRequest(
        size: size(of: inspection, within: limits.compactMap(\.maxPixels).min()),
        limit: bytes,
        isAnimated: isAnimated,
        formats: formats
      )
    )
  }

  /// The whole picture, or as much as its pixels may be.
  private static func size(
    of inspection: MediaInspection,
    within limit: Int64?
  ) -> PreviewRequest.Size {
    guard let limit, let width = inspection.width, let height = inspection.height else {
      return .original
    }
    let share = Double(limit) / (Double(width) * Double(height))
    guard share < 1 else { return .original }
    let longEdge = Double(max(width, height)) * share.squareRoot()
    return .longEdge(max(1, Int(longEdge)))
  }
}
