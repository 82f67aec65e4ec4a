import AttachmentModel
import Pipeline
import Reporting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTMLDocumentTests {
  private func page(_ reports: [AttachmentReport]) -> String {
    ReportFormat.html.document.text(of: reports, Samples.summary)
  }

  /// The names of tags in order, a slash before closing ones.
  private func tags(_ page: String) -> [String] {
    page.split(separator: "<").dropFirst().map { piece in
      String(piece.prefix { $0 != ">" && $0 != " " && $0 != "\n" })
    }
  }

  @Test func `the page shows verdict, facts, reasons, remedies and time`() {
    let page = page([Samples.deliverable(), Samples.rejected(), Samples.unobtainable()])
    let parts = [
      "<title>affix: 3 sources: 1 deliverable, 1 rejected, 1 unobtainable</title>",
      "3 sources in 1.23 s", "2023-11-14T22:13:20Z", "affix 1.2.3",
      #"<article class="deliverable">"#, "<h2>media/a.jpg</h2>", "<span>jpeg</span>",
      "<span>122 kB</span>", "<span>1600 x 1200</span>", "<span>7.7 MB decoded</span>",
      #"<img src="data:image/jpeg;base64,/9j/" alt="" width="256" height="192">"#,
      #"<li class="warning"><code>animated</code> an animation</li>"#,
      "<h2>https://media.example/b.webp?...</h2>",
      "<code>unsupported-type</code> content is a WebP, which push does not accept"
        + "<br><em>send a preview instead</em>",
      "push: unsupported-type, truncated; web-push: deliverable",
      #"<li class="error"><code>unreadable</code> the file cannot be opened</li>"#,
      "103 ms of 30.00 s: decode 103 ms; waited 20 ms in line",
    ]
    #expect(parts.filter { !page.contains($0) } == [])
    #expect(!page.contains("secret"))
  }

  @Test(arguments: [[], [Samples.deliverable(), Samples.rejected()], Samples.hostileReports])
  func `every tag is ours, closed, and loads nothing`(reports: [AttachmentReport]) {
    let page = page(reports)
    var open: [String] = []
    for tag in tags(page) where !["!DOCTYPE", "meta", "img", "br"].contains(tag) {
      if tag.hasPrefix("/") {
        #expect(open.popLast() == String(tag.dropFirst()), "\(tag)")
      } else {
        open.append(tag)
      }
    }
    #expect(open == [])
    #expect(!tags(page).contains("script"))
    #expect(!page.contains("src=\"http") && !page.contains("href=") && !page.contains("url("))
    #expect(page.contains("default-src 'none'"))
    #expect(page.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
  }

  @Test func `without a thumbnail the smallest preview is shown`() {
    var report = Samples.deliverable()
    report.thumbnail = nil
    report.previews = [[UInt8](repeating: 1, count: 9), [2, 2, 2]].map { bytes in
      let preview = Preview(
        format: .png,
        bytes: bytes,
        width: bytes.count,
        height: 1,
        quality: nil,
        encodes: 1
      )
      return .init(outcome: .rendered(preview))
    }
    #expect(page([report]).contains(#"src="data:image/png;base64,AgIC""#))
    report.previews = [.init(outcome: .unavailable(PreviewError(.movie, "a movie")))]
    #expect(!page([report]).contains("<img"))
  }

  @Test(arguments: ReportFormat.allCases)
  func `pieces that were written one by one make the same document`(format: ReportFormat) {
    let document = format.document
    let reports = [Samples.unobtainable(), Samples.deliverable(), Samples.rejected()]
    let body = reports.map(document.piece).joined()
    #expect(body.hasPrefix(document.separator))
    #expect(
      document.text(of: reports, Samples.summary) == document.head(Samples.summary)
        + body.dropFirst(document.separator.count) + document.foot(Samples.summary)
    )
  }
}
