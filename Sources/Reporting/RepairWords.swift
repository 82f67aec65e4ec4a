import AttachmentModel
import Pipeline
import PolicyChecking

/// What a repair made of a file, in words, and beside it the previews, lest one be taken for the
/// other.
struct RepairWords: Sendable {
  /// One thing that was made, or was not.
  struct Line: Sendable, Hashable {
    /// `preview` or `repair`.
    let name: String
    /// What it is like.
    let text: String
    /// Where it lies, or how to have it kept.
    let advice: String?
  }

  /// The previews in order, then the repair; nothing where no repair was tried.
  let lines: [Line]

  init(_ report: AttachmentReport) {
    guard let repair = report.repair else {
      lines = []
      return
    }
    let previews = report.previews.compactMap { result -> Line? in
      guard case .rendered(let preview) = result.outcome else { return nil }
      return Line(name: "preview", text: Self.looks(of: preview), advice: result.path)
    }
    lines = previews + [Self.line(about: repair, report)]
  }

  private static func line(
    about repair: AttachmentReport.Repair,
    _ report: AttachmentReport
  ) -> Line {
    switch repair.outcome {
    case .renamed(let format, _, _, _):
      let suffix = format.type?.filenameExtensions.first ?? format.rawValue
      return Line(
        name: "repair",
        text: "the same bytes under the extension .\(suffix)",
        advice: repair.path
      )
    case .encoded(let picture):
      let words = [looks(of: picture) + original(of: report)] + changes(picture, report)
      return Line(
        name: "repair",
        text: words.joined(separator: "; "),
        advice: repair.path ?? "name --output to keep it"
      )
    case .unavailable(let error):
      return Line(
        name: "repair",
        text: "none; \(error.code.rawValue): \(error.message)",
        advice: nil
      )
    }
  }

  private static func looks(of picture: Preview) -> String {
    let size = ByteCount(Int64(picture.bytes.count)).rounded
    return "\(picture.format.rawValue), \(size), \(picture.width)x\(picture.height)"
  }

  private static func original(of report: AttachmentReport) -> String {
    guard let inspection = report.evidence.inspection else { return "" }
    var words = ", instead of \(inspection.format.rawValue), \(inspection.size.rounded)"
    if let width = inspection.width, let height = inspection.height {
      words += ", \(width)x\(height)"
    }
    return words
  }

  /// What else is not as it was.
  private static func changes(_ picture: Preview, _ report: AttachmentReport) -> [String] {
    let inspection = report.evidence.inspection
    var words: [String] = []
    if let frames = inspection?.frames, frames > 1 {
      let kept = picture.frames ?? 1
      words.append(kept == frames ? "\(frames) frames" : "\(kept) of \(frames) frames")
    }
    if (inspection?.orientation ?? 1) != 1 { words.append("turned upright") }
    if report.evidence.examination?.isCMYK == true { words.append("RGB instead of CMYK") }
    let codes = (report.violations + report.warnings).map(\.code)
    if codes.contains(.trailingData) || codes.contains(.polyglot) {
      words.append("without what stood behind its end")
    }
    return words
  }
}
