import AttachmentModel
public import Pipeline
import PolicyChecking
import TimeBudgets

/// Reports for people: a row a source, and under it what is wrong and what to do.
///
/// Under several policies it is also said which of them each line comes from.
public struct ReportTable: Sendable {
  private struct Column {
    let title: String
    let width: Int
    var isNumber = false
  }

  /// Widths are fixed, since rows are printed as sources finish: each takes the longest text that
  /// the column commonly holds.
  private static let columns = [
    Column(title: "VERDICT", width: 12),
    Column(title: "TYPE", width: 9),
    Column(title: "SIZE", width: 8, isNumber: true),
    Column(title: "DIMENSIONS", width: 11, isNumber: true),
    Column(title: "TIME", width: 8, isNumber: true),
    Column(title: "PREVIEW", width: 11, isNumber: true),
  ]

  private let terminal: TextStyle

  /// A table for a terminal, or for what is none.
  public init(style: TextStyle) {
    terminal = style
  }

  /// The line above the rows.
  public var header: String {
    let titles = Self.columns.map { $0.title.padded(to: $0.width, alignedRight: $0.isNumber) }
    return terminal.paint((titles + ["SOURCE"]).joined(separator: "  "), .dim) + "\n"
  }

  /// One source's row with its explanations, with line ends.
  public func rows(for report: AttachmentReport) -> String {
    let cells = zip(Self.columns, cells(of: report)).map { column, text in
      text.padded(to: column.width, alignedRight: column.isNumber)
    }
    let colour = Self.colour(of: report.verdict)
    let left = ([terminal.paint(cells[0], colour)] + cells.dropFirst()).joined(separator: "  ")
    let taken = cells.reduce(0) { $0 + $1.count + 2 }
    var source = report.source.printable
    if let width = terminal.width { source = source.cutInTheMiddle(to: Self.room(width, taken)) }
    let lines = ["\(left)  \(source)"] + explanations(of: report)
    return lines.joined(separator: "\n") + "\n"
  }

  /// What the source may take of a terminal's line, or, where too little of that is left to tell one
  /// source from another, of this line and the next.
  private static func room(_ width: Int, _ taken: Int) -> Int {
    let left = width - taken
    return left >= 24 ? left : max(24, left + width)
  }

  private func cells(of report: AttachmentReport) -> [String] {
    let inspection = report.evidence.inspection
    let received = report.evidence.transfer?.receivedBytes ?? ByteCount(0)
    let size = report.evidence.size ?? (received > ByteCount(0) ? received : nil)
    var dimensions = "-"
    if let width = inspection?.width, let height = inspection?.height {
      dimensions = "\(width)x\(height)"
    }
    return [
      report.verdict.name,
      inspection?.format.rawValue ?? "-",
      size?.rounded ?? "-",
      dimensions,
      report.ledger.spent.rounded,
      Self.previewCell(of: report),
    ]
  }

  private func explanations(of report: AttachmentReport) -> [String] {
    var lines: [String] = []
    if case .unobtainable(let error) = report.verdict {
      lines.append("  \(error.code): \(error.message)".printable)
    }
    for (policies, violation) in Self.gathered(report, \.violations) {
      lines.append("  \(policies)\(violation.code.rawValue): \(violation.message)".printable)
      if let remedy = violation.remedy { lines.append("    -> \(remedy)".printable) }
    }
    for (policies, warning) in Self.gathered(report, \.warnings) {
      let text = "  \(policies)warning \(warning.code.rawValue): \(warning.message)".printable
      lines.append(terminal.paint(text, .dim))
    }
    if let error = Self.previewProblem(of: report) {
      let text = "  preview: none; \(error.code.rawValue): \(error.message)"
      lines.append(terminal.paint(text.printable, .dim))
    }
    for line in RepairWords(report).lines {
      lines.append("  \(line.name): \(line.text)".printable)
      if let advice = line.advice { lines.append("    -> \(advice)".printable) }
    }
    return lines
  }

  /// Findings with the names of the policies that share them, as in `apple, mms: `; without names
  /// where there is one policy.
  private static func gathered(
    _ report: AttachmentReport,
    _ place: KeyPath<PolicyFindings, [PolicyViolation]>
  ) -> [(policies: String, finding: PolicyViolation)] {
    var findings: [PolicyViolation] = []
    var names: [PolicyViolation: [String]] = [:]
    for result in report.policies {
      for finding in result.findings[keyPath: place] {
        if names[finding] == nil { findings.append(finding) }
        names[finding, default: []].append(result.policy)
      }
    }
    guard report.policies.count > 1 else { return findings.map { ("", $0) } }
    return findings.map { ((names[$0] ?? []).joined(separator: ", ") + ": ", $0) }
  }

  private static func previewCell(of report: AttachmentReport) -> String {
    if case .rendered(let preview) = report.previews.first?.outcome {
      return ByteCount(Int64(preview.bytes.count)).rounded
    }
    return previewProblem(of: report)?.code.rawValue ?? "-"
  }

  /// Why there is no preview; not every file has a picture, and that is nothing to point out.
  private static func previewProblem(of report: AttachmentReport) -> PreviewError? {
    guard case .unavailable(let error) = report.previews.first?.outcome,
      error.code != .movie, error.code != .noCover, report.evidence.inspection?.kind != nil
    else { return nil }
    return error
  }

  private static func colour(of verdict: Verdict) -> TextStyle.Colour {
    switch verdict {
    case .deliverable: .green
    case .rejected: .red
    case .unobtainable: .yellow
    }
  }
}
