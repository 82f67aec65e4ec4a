import Testing

/// Each fence stops what it was built to stop.
@Suite(.timeLimit(.minutes(1)))
struct HouseRulesTests {
  struct Breach: Sendable, CustomTestStringConvertible {
    let rule: String
    let path: String
    let text: String

    var testDescription: String { rule }
  }

  static let breaches = [
    Breach(
      rule: "an arrow that points up",
      path: "Sources/MediaSniffing/Sniffer.swift",
      text: "import Pipeline\n"
    ),
    Breach(
      rule: "an arrow sideways",
      path: "Sources/PolicyChecking/Judge.swift",
      text: "internal import MediaSniffing\n"
    ),
    Breach(
      rule: "a C library in the wrong room",
      path: "Sources/Pipeline/Line.swift",
      text: "private import CCurl\n"
    ),
    Breach(
      rule: "a single declaration imported",
      path: "Sources/AttachmentModel/Noun.swift",
      text: "public import struct Downloading.Download\n"
    ),
    Breach(
      rule: "all of Foundation",
      path: "Sources/Pipeline/Line.swift",
      text: "import Foundation\n"
    ),
    Breach(rule: "a room nobody planned", path: "Sources/Attic/Box.swift", text: ""),
    Breach(rule: "a folder of leftovers", path: "Sources/Pipeline/Helpers/A.swift", text: ""),
    Breach(rule: "a file of leftovers", path: "Sources/Pipeline/Utils.swift", text: ""),
    Breach(
      rule: "a type that manages",
      path: "Sources/Pipeline/Line.swift",
      text: "final class LineManager {}\n"
    ),
    Breach(
      rule: "a type that handles",
      path: "Sources/Pipeline/Line.swift",
      text: "  struct ErrorHandler {}\n"
    ),
    Breach(
      rule: "a file of 700 lines",
      path: "Sources/Pipeline/Line.swift",
      text: String(repeating: "\n", count: 700)
    ),
    Breach(
      rule: "an unexplained @unchecked",
      path: "Sources/Pipeline/Line.swift",
      text: "final class Line: @unchecked Sendable {}\n"
    ),
    Breach(
      rule: "an unexplained nonisolated(unsafe)",
      path: "Sources/Pipeline/Line.swift",
      text: "nonisolated(unsafe) let line = 1\n"
    ),
    Breach(
      rule: "an unexplained pointer",
      path: "Sources/Pipeline/Line.swift",
      text: "func read(_ bytes: UnsafeRawBufferPointer) {}\n"
    ),
    Breach(
      rule: "a singleton",
      path: "Sources/Pipeline/Line.swift",
      text: "  static let shared = Line()\n"
    ),
    Breach(
      rule: "a mutable global",
      path: "Sources/Pipeline/Line.swift",
      text: "  static var count = 0\n"
    ),
    Breach(
      rule: "a re-export",
      path: "Sources/Pipeline/Line.swift",
      text: "@_exported public import AttachmentModel\n"
    ),
  ]

  @Test(arguments: breaches)
  func `a breach is caught`(_ breach: Breach) {
    let file = SourceFile(path: breach.path, text: breach.text)
    #expect(!HouseRules.violations(in: [file]).isEmpty)
  }

  @Test func `a fourth file that imports a C library is caught`() {
    let files = (1...4).map {
      SourceFile(path: "Sources/Downloading/File\($0).swift", text: "import CCurl\n")
    }
    #expect(HouseRules.violations(in: Array(files.prefix(3))).isEmpty)
    #expect(HouseRules.violations(in: files).count == 1)
  }

  @Test(arguments: [
    "public import AttachmentModel\nimport Glibc\n",
    "/// A comment may say `static let shared`.\n",
    "// Invariant: touched by one thread.\nfinal class Line: @unchecked Sendable {}\n",
    "let contentHandler: ContentHandler\n",
    "  static var count: Int {\n",
  ])
  func `what keeps the rules passes`(text: String) {
    let file = SourceFile(path: "Sources/Pipeline/Line.swift", text: text)
    #expect(HouseRules.violations(in: [file]) == [])
  }
}
