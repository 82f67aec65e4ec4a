import AttachmentModel
import FoundationEssentials
public import Pipeline
import PolicyChecking
import TimeBudgets

/// One page for people that needs nothing beside it: no script, no font, no picture from elsewhere.
///
/// The policy in its head lets a browser load nothing either, so that not even a flaw in the
/// escaping of hostile names could reach out.
public struct HTMLDocument: ReportDocument {
  /// A document.
  public init() {}

  /// The head, and the totals.
  public func head(_ summary: RunSummary) -> String {
    let totals = summary.totals
    let date = summary.start.formatted(.iso8601)
    // Invariant: the one style is written here, and names never get into it; so the page may allow
    // styles of its own ('unsafe-inline') as the only thing it allows but its pictures.
    let counts = [
      ("deliverable", totals.deliverable), ("rejected", totals.rejected),
      ("unobtainable", totals.unobtainable),
    ].map { #"<li class="\#($0)"><strong>\#($1)</strong> \#($0)</li>"# }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
      style-src 'unsafe-inline'">
      <title>affix: \(totals.words)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header>
      <h1>Attachments</h1>
      <ul class="totals">\(counts.joined())</ul>
      <p>\(totals.total) \(totals.total == 1 ? "source" : "sources") in \
      \(summary.elapsed.rounded), <time datetime="\(date)">\(date)</time>, \
      affix \(MarkupText.escaped(summary.version))</p>
      </header>
      <main>

      """
  }

  /// One article.
  public func piece(for report: AttachmentReport) -> String {
    let verdict = report.verdict.name
    return """
      <article class="\(verdict)">
      \(Self.thumbnail(of: report))
      <div>
      <h2>\(MarkupText.escaped(report.publicSource))</h2>
      <p class="facts"><span class="verdict">\(verdict)</span> \
      \(Self.facts(of: report).map { "<span>\(MarkupText.escaped($0))</span>" }.joined(separator: " "))</p>
      \(Self.findings(of: report))\(Self.policies(of: report))\(Self.times(of: report))</div>
      </article>

      """
  }

  /// The end.
  public func foot(_ summary: RunSummary) -> String {
    "</main>\n</body>\n</html>\n"
  }

  private static func thumbnail(of report: AttachmentReport) -> String {
    let rendered = report.previews.compactMap { result -> Preview? in
      if case .rendered(let preview) = result.outcome { preview } else { nil }
    }
    guard
      let preview = report.thumbnail ?? rendered.min(by: { $0.bytes.count < $1.bytes.count }),
      let type = preview.format.type?.mimeType
    else { return #"<div class="thumbnail"></div>"# }
    let data = Data(preview.bytes).base64EncodedString()
    return #"<div class="thumbnail"><img src="data:\#(type);base64,\#(data)" alt="" "#
      + #"width="\#(preview.width)" height="\#(preview.height)"></div>"#
  }

  private static func facts(of report: AttachmentReport) -> [String] {
    guard let inspection = report.evidence.inspection else { return [] }
    var facts = [inspection.format.rawValue] + [report.evidence.size?.rounded].compactMap { $0 }
    if let width = inspection.width, let height = inspection.height {
      facts.append("\(width) x \(height)")
    }
    if let frames = inspection.frames, frames > 1 { facts.append("\(frames) frames") }
    if let duration = inspection.duration { facts.append("plays \(duration.rounded)") }
    facts += [inspection.videoCodec, inspection.audioCodec].compactMap { $0 }
    if let decoded = inspection.decodedSize { facts.append("\(decoded.rounded) decoded") }
    return facts
  }

  private static func findings(of report: AttachmentReport) -> String {
    var items: [String] = []
    func add(_ kind: String, _ code: String, _ message: String, _ remedy: String? = nil) {
      let advice = remedy.map { #"<br><em>\#(MarkupText.escaped($0))</em>"# } ?? ""
      items.append(
        #"<li class="\#(kind)"><code>\#(MarkupText.escaped(code))</code> "#
          + "\(MarkupText.escaped(message))\(advice)</li>"
      )
    }
    if case .unobtainable(let error) = report.verdict { add("error", error.code, error.message) }
    for violation in report.violations {
      add("violation", violation.code.rawValue, violation.message, violation.remedy)
    }
    for warning in report.warnings {
      add("warning", warning.code.rawValue, warning.message, warning.remedy)
    }
    for line in RepairWords(report).lines { add(line.name, line.name, line.text, line.advice) }
    return items.isEmpty ? "" : "<ul class=\"findings\">\(items.joined())</ul>\n"
  }

  /// Which policy says what, where there are several.
  private static func policies(of report: AttachmentReport) -> String {
    guard report.policies.count > 1 else { return "" }
    let words = report.policies.map { result in
      let codes = result.findings.violations.map(\.code.rawValue)
      let answer = codes.isEmpty ? "deliverable" : codes.joined(separator: ", ")
      return MarkupText.escaped("\(result.policy): \(answer)")
    }
    return "<p class=\"policies\">\(words.joined(separator: "; "))</p>\n"
  }

  private static func times(of report: AttachmentReport) -> String {
    let ledger = report.ledger
    let entries = ledger.entries.filter { $0.duration >= .microseconds(500) }
    let stages = entries.filter(\.stage.isCharged)
      .map { "\($0.stage.rawValue) \($0.duration.rounded)" }
    var words = "\(ledger.spent.rounded) of \(ledger.allowance.rounded)"
    if !stages.isEmpty { words += ": " + stages.joined(separator: ", ") }
    if let queue = entries.first(where: { !$0.stage.isCharged }) {
      words += "; waited \(queue.duration.rounded) in line"
    }
    return "<p class=\"times\">\(words)</p>\n"
  }
}
