import AttachmentModel
import Pipeline
import PolicyChecking
import TimeBudgets

/// Reports for people: a row a source, and under it what is wrong and what to do.
struct ReportTable: Sendable {
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
    Column(title: "SIZE", width: 9, isNumber: true),
    Column(title: "DIMENSIONS", width: 11, isNumber: true),
    Column(title: "TIME", width: 10, isNumber: true),
    Column(title: "PREVIEW", width: 10, isNumber: true),
  ]

  private let terminal: Terminal

  /// A table for a terminal, or for what is none.
  init(terminal: Terminal) {
    self.terminal = terminal
  }

  /// The line above the rows.
  var header: String {
    let titles = Self.columns.map { $0.title.padded(to: $0.width, alignedRight: $0.isNumber) }
    return terminal.paint((titles + ["SOURCE"]).joined(separator: "  "), .dim) + "\n"
  }

  /// One source's row with its explanations, with line ends.
  func rows(for report: AttachmentReport) -> String {
    let cells = zip(Self.columns, cells(of: report)).map { column, text in
      text.padded(to: column.width, alignedRight: column.isNumber)
    }
    let colour = Self.colour(of: report.verdict)
    let left = ([terminal.paint(cells[0], colour)] + cells.dropFirst()).joined(separator: "  ")
    let taken = cells.reduce(0) { $0 + $1.count + 2 }
    var source = report.source.printable
    if let width = terminal.width { source = source.cutInTheMiddle(to: max(16, width - taken)) }
    let lines = ["\(left)  \(source)"] + explanations(of: report)
    return lines.joined(separator: "\n") + "\n"
  }

  private func cells(of report: AttachmentReport) -> [String] {
    let inspection = report.evidence.inspection
    let size = inspection?.size ?? report.evidence.transfer?.receivedBytes
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
    for violation in report.violations {
      lines.append("  \(violation.code.rawValue): \(violation.message)".printable)
      if let remedy = violation.remedy { lines.append("    -> \(remedy)".printable) }
    }
    for warning in report.warnings {
      let text = "  warning \(warning.code.rawValue): \(warning.message)".printable
      lines.append(terminal.paint(text, .dim))
    }
    return lines
  }

  private static func previewCell(of report: AttachmentReport) -> String {
    switch report.previews.first?.outcome {
    case nil: "-"
    case .rendered(let preview): ByteCount(Int64(preview.bytes.count)).rounded
    case .unavailable(let error):
      // Not every file has a picture, and that is nothing to point out.
      error.code == .movie || error.code == .noCover ? "-" : error.code.rawValue
    }
  }

  private static func colour(of verdict: Verdict) -> Terminal.Colour {
    switch verdict {
    case .deliverable: .green
    case .rejected: .red
    case .unobtainable: .yellow
    }
  }
}
