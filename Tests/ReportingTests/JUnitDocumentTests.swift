import Foundation
import FoundationXML
import Pipeline
import Reporting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct JUnitDocumentTests {
  private let document = ReportFormat.junit.document

  /// Element names, attributes and text in the order in which a parser meets them.
  private final class Reader: NSObject, XMLParserDelegate {
    struct Element: Equatable {
      var name: String
      var attributes: [String: String]
      var text = ""
    }

    var elements: [Element] = []
    private var open: [Int] = []

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append(Element(name: name, attributes: attributes))
    }

    func parser(
      _ parser: XMLParser,
      didEndElement name: String,
      namespaceURI: String?,
      qualifiedName: String?
    ) {
      open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if let last = open.last { elements[last].text += text }
    }
  }

  private func elements(_ reports: [AttachmentReport]) throws -> [Reader.Element] {
    let text = document.text(of: reports, Samples.summary)
    let parser = XMLParser(data: Data(text.utf8))
    let reader = Reader()
    parser.delegate = reader
    #expect(parser.parse(), "\(text)")
    return reader.elements
  }

  @Test func `a source is a test case, failed where rejected, an error where unobtainable`() throws
  {
    let found = try elements([Samples.deliverable(), Samples.rejected(), Samples.unobtainable()])
    #expect(
      found.map(\.name) == [
        "testsuites", "testsuite", "properties", "property", "testcase", "system-out", "testcase",
        "failure", "testcase", "error",
      ]
    )
    let suite = found[1].attributes
    #expect(suite["tests"] == "3" && suite["failures"] == "1" && suite["errors"] == "1")
    #expect(suite["time"] == "1.234")
    #expect(suite["timestamp"] == "2023-11-14T22:13:20")
    #expect(found[4].attributes == ["classname": "affix", "name": "media/a.jpg", "time": "0.103"])
    #expect(found[5].text == "warning animated: an animation")
    #expect(found[7].attributes["type"] == "unsupported-type")
    #expect(
      found[7].text == """
        unsupported-type: content is a WebP, which push does not accept
          -> send a preview instead
        truncated: the file ends early
        """
    )
    #expect(found[9].attributes == ["type": "unreadable", "message": "the file cannot be opened"])
  }

  @Test func `user information and query are not published`() throws {
    let found = try elements([Samples.rejected()])
    #expect(found[4].attributes["name"] == "https://media.example/b.webp?...")
    #expect(!document.text(of: [Samples.rejected()], Samples.summary).contains("secret"))
  }

  @Test func `a hostile name stays inside its attribute`() throws {
    let found = try elements(Samples.hostileReports)
    #expect(found.count { $0.name == "testcase" } == 4)
    #expect(!found.contains { $0.name == "script" })
    let name = try #require(found.first { $0.name == "testcase" }?.attributes["name"])
    #expect(
      name.hasPrefix("]]></failure><script>alert('1')</script>\"&amp;\\u{0}\\u{1B}[2J\\u{202E}")
    )
    #expect(name.hasSuffix("\u{FFFD}\\u{85}\\n{0}[a](b)\\"))
  }

  @Test(
    arguments: [
      [], [Samples.deliverable(), Samples.rejected(), Samples.unobtainable()],
      Samples.hostileReports,
    ]
  )
  func `the file is valid against the schema`(reports: [AttachmentReport]) async throws {
    let xmllint = "/usr/bin/xmllint"
    guard FileManager.default.isExecutableFile(atPath: xmllint) else {
      print("skipped: there is no xmllint here; install libxml2-utils")
      return
    }
    let folder = try TemporaryFolder()
    let text = document.text(of: reports, Samples.summary)
    let file = try folder.write(Array(text.utf8), to: "report.xml")
    let schema = "\(Fixture.projectFolder)/Tests/ReportingTests/junit.xsd"
    let run = try await CommandRun.of(xmllint, ["--noout", "--schema", schema, file])
    #expect(run.ending == .exited(0), "\(run.errorOutput)")
  }
}
