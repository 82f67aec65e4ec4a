import AttachmentModel
import Foundation
import Pipeline
import PolicyChecking
import Reporting
import Testing

/// What the SARIF 2.1.0 schema requires of the objects that are written.
@Suite(.timeLimit(.minutes(1)))
struct SARIFDocumentTests {
  private struct Log: Decodable {
    struct Run: Decodable {
      let tool: Tool
      let results: [Result]
      let invocations: [Invocation]
    }

    struct Tool: Decodable {
      let driver: Driver
    }

    struct Driver: Decodable {
      let name: String
      let version: String
      let rules: [Rule]
    }

    struct Rule: Decodable {
      struct Configuration: Decodable {
        let level: String
      }

      let id: String
      let shortDescription: Text
      let help: Text
      let defaultConfiguration: Configuration
    }

    struct Text: Decodable {
      let text: String
    }

    struct Result: Decodable {
      struct Location: Decodable {
        let physicalLocation: Physical
      }

      struct Physical: Decodable {
        let artifactLocation: Artifact
        let region: Region
      }

      struct Artifact: Decodable {
        let uri: String
      }

      struct Region: Decodable {
        let startLine: Int
      }

      struct Properties: Decodable {
        let policies: [String]?
        let remedy: String?
        let limit: PolicyViolation.Value?
        let actual: PolicyViolation.Value?
        let unError: Int?

        enum CodingKeys: String, CodingKey {
          case policies
          case remedy
          case limit
          case actual
          case unError = "un_error"
        }
      }

      let ruleId: String
      let ruleIndex: Int?
      let level: String
      let message: Text
      let locations: [Location]
      let properties: Properties?

      var uri: String? { locations.first?.physicalLocation.artifactLocation.uri }
    }

    struct Invocation: Decodable {
      let executionSuccessful: Bool
      let startTimeUtc: String
      let endTimeUtc: String
    }

    let version: String
    let runs: [Run]
  }

  private func run(_ reports: [AttachmentReport]) throws -> Log.Run {
    let text = ReportFormat.sarif.document.text(of: reports, Samples.summary)
    let log = try JSONDecoder().decode(Log.self, from: Data(text.utf8))
    #expect(log.version == "2.1.0")
    #expect(log.runs.count == 1)
    return try #require(log.runs.first)
  }

  @Test func `every code of a result is a rule`() throws {
    let driver = try run([]).tool.driver
    #expect(driver.name == "affix" && driver.version == "1.2.3")
    let ids = driver.rules.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(PolicyCode.allCases.map(\.rawValue)).isSubset(of: ids))
    #expect(ids.contains("unreadable") && !ids.contains("cannot-fit"))
    #expect(driver.rules.allSatisfy { !$0.shortDescription.text.isEmpty && !$0.help.text.isEmpty })
    for code in PolicyCode.allCases {
      let rule = driver.rules.first { $0.id == code.rawValue }
      #expect(rule?.defaultConfiguration.level == (code.isWarning ? "warning" : "error"))
    }
  }

  @Test func `a finding is a result, a source without any is none`() throws {
    var silent = Samples.deliverable()
    silent.policies = []
    let run = try run([
      Samples.deliverable(), silent, Samples.rejected(), Samples.unobtainable("/tmp/c d.mp4"),
    ])
    #expect(
      run.results.map(\.ruleId) == ["animated", "unsupported-type", "truncated", "unreadable"]
    )
    #expect(run.results.map(\.level) == ["warning", "error", "error", "error"])
    for result in run.results {
      let index = try #require(result.ruleIndex)
      #expect(run.tool.driver.rules[index].id == result.ruleId)
      #expect(result.locations.first?.physicalLocation.region.startLine == 1)
    }
    #expect(
      run.results.map(\.uri) == [
        "media/a.jpg", "https://media.example/b.webp", "https://media.example/b.webp",
        "file:///tmp/c%20d.mp4",
      ]
    )
    let first = try #require(run.results.dropFirst().first)
    #expect(
      first.message.text
        == "content is a WebP, which push does not accept; remedy: send a preview instead"
    )
    #expect(first.properties?.policies == ["push"])
    #expect(first.properties?.unError == 101)
    #expect(first.properties?.limit == .text("jpeg"))
    #expect(run.invocations.map(\.startTimeUtc) == ["2023-11-14T22:13:20Z"])
    #expect(run.invocations.map(\.endTimeUtc) == ["2023-11-14T22:13:21Z"])
  }

  @Test(
    arguments: [
      ("a b/ü?.jpg", "a%20b/%C3%BC%3F.jpg"), ("c:d.jpg", "c%3Ad.jpg"), ("100%.jpg", "100%25.jpg"),
      ("/a#b.jpg", "file:///a%23b.jpg"), ("-", "-"), ("", ""),
      ("https://u:p@h.example:8443/a/../b.jpg?q#f", "https://h.example:8443/a/../b.jpg"),
      ("http://[::1]:80/a%20b%2.jpg", "http://[::1]:80/a%20b%252.jpg"),
      ("https://h.example?token=1", "https://h.example"),
      (" https://h.example/\"<>\\^`{|}", "https://h.example/%22%3C%3E%5C%5E%60%7B%7C%7D"),
      ("https://h.example/a@b:c", "https://h.example/a@b:c"),
    ]
  )
  func `a source becomes a URI reference without what may be secret`(
    source: String,
    uri: String
  ) throws {
    #expect(try run([Samples.unobtainable(source)]).results.map(\.uri) == [uri])
  }

  @Test func `hostile words are text, no placeholder and no link`() throws {
    let run = try run(Samples.hostileReports)
    #expect(run.results.count == 6)
    let message = try #require(run.results.last?.message.text)
    #expect(message.hasSuffix("\\\\n{{0}}\\[a\\](b)\\\\"))
    #expect(message.contains("\\\\u{{1B}}\\[2J"))
    let allowed = Set(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=@/:%"
    )
    for uri in run.results.compactMap(\.uri) { #expect(Set(uri).isSubset(of: allowed), "\(uri)") }
  }
}
