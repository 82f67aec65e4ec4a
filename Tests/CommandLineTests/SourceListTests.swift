import Foundation
import TestSupport
import Testing

/// Lines that cannot be sources never reach the network, so that they show how lists are read.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SourceListTests {
  private static let unusable = "\u{0}"

  private func check(_ input: String, _ options: String...) throws -> Spawn.Outcome {
    try Spawn.run(["check", "--json"] + options + ["-"], input: input)
  }

  @Test(
    arguments: [
      "", "\n", "\r\n\n\r\n", "\u{FEFF}\n", " \t\n", "# nothing yet\n",
      "\u{FEFF}#\r\n  # still\u{0}",
    ],
    [[], ["--ordered"]]
  )
  func `an empty list is no fault, and told`(input: String, options: [String]) throws {
    let outcome = try Spawn.run(["check", "--json"] + options + ["-"], input: input)
    #expect(outcome.ending == .exited(0))
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "affix: nothing was checked: standard input holds no source\n")
  }

  @Test func `an empty list is told in one line above a table's head, too`() throws {
    let outcome = try Spawn.run(["check", "-"])
    #expect(outcome.errors == "affix: nothing was checked: standard input holds no source\n")
  }

  @Test func `blank lines and comments are left out and have no place in the order`() throws {
    let long = "#" + String(repeating: "a", count: 70_000)
    let outcome = try check(
      "# a list\n\n  \na\u{0}\n\t# of two\n\(long)\n#\u{0}\nb#c\u{0}",
      "--ordered"
    )
    #expect(outcome.ending == .exited(2))
    #expect(outcome.lines.count == 2, "\(outcome)")
    #expect(outcome.lines.first?.contains(#""source":"a\u0000""#) ?? false)
    #expect(outcome.lines.last?.contains(#""source":"b#c\u0000""#) ?? false)
    #expect(outcome.errors.isEmpty)
  }

  @Test(arguments: [(["#a"], ""), (["-"], "./#a\n")])
  func `a file whose name begins like a comment can be named`(
    sources: [String],
    input: String
  ) throws {
    let outcome = try Spawn.run(["check", "--json"] + sources, input: input)
    #expect(outcome.output.contains(#"#a","verdict":"unobtainable""#))
  }

  @Test(arguments: ["a\u{0}b", "a\u{0}b\n", "\na\u{0}b\r\n", "\u{FEFF}a\u{0}b"])
  func `line ends are no part of a source`(input: String) throws {
    let outcome = try check(input)
    #expect(outcome.ending == .exited(2))
    #expect(outcome.lines.count == 1)
    #expect(outcome.output.contains(#""source":"a\u0000b""#))
    #expect(outcome.output.contains(#""verdict":"unobtainable""#))
    #expect(outcome.output.contains(#""code":"invalid-url""#))
  }

  @Test func `a line over 64 KiB is reported, and the next one is read`() throws {
    let long = String(repeating: "a", count: 65_537)
    let outcome = try check("\(long)\n\(long)\(long)\r\nb\u{0}", "--ordered")
    #expect(outcome.ending == .exited(2))
    #expect(outcome.lines.count == 3)
    #expect(outcome.lines.first?.contains("longer than 65,536 bytes") ?? false)
    #expect(outcome.lines.first.map { $0.count < 1_000 } ?? false)
    #expect(outcome.lines.last?.contains(#""source":"b\u0000""#) ?? false)
  }

  @Test(
    arguments: [
      (
        "https://media.example/a.jpg\nb.jpg\n", "give it on standard input: affix check - <list.txt"
      ),
      ("\u{FEFF}# ours\n\n HTTP://media.example/a.jpg", "affix check - <list.txt"),
      ("./list.txt\n", "if this is a list of sources"),
      ("/etc/passwd\n", "affix check - <list.txt"),
      ("{\"url\": \"https://media.example/a.jpg\"}\n{}\n", "on a line of its own, without JSON"),
      ("[\"https://media.example/a.jpg\"]", "standard input: affix check - <list.txt"),
    ]
  )
  func `a list that is named as a source is told where lists go`(
    text: String,
    words: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), to: "list.txt")
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["check", "--json", "--policy", "push", "--policy", "apple", "list.txt"],
      in: folder.path
    )
    #expect(run.ending == .exited(1))
    #expect(run.output.contains("\"code\":\"unsupported-type\""))
    #expect(run.output.components(separatedBy: words).count == 4, "\(run)")
  }

  @Test(arguments: ["Once upon a time\nhttps://media.example/\n", "{\"a\": 1}", "# https://x/"])
  func `another text is not taken for a list`(text: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(text.utf8), to: "notes of today.txt")
    let run = try await CommandRun.of(CommandRun.affix, ["check", "--json", file])
    #expect(run.ending == .exited(1))
    #expect(run.output.contains("\"remedy\":\"send one of: jpeg"), "\(run)")
  }

  @Test func `a line of JSON is told that it is no source`() throws {
    let outcome = try Spawn.run(
      ["check", "-"],
      input: "{\"url\":\"https://media.example/a.jpg\"}\n"
    )
    #expect(outcome.ending == .exited(2))
    #expect(outcome.output.contains("a source is an address or a path, without JSON around it"))
  }

  @Test func `ordered results come in the order of the list`() throws {
    let numbers = (0..<5_000).map(String.init)
    let outcome = try check(numbers.map { "\($0)\u{0}\n" }.joined(), "--ordered")
    let sources = outcome.lines.compactMap { line in
      line.firstRange(of: #""source":""#).map { line[$0.upperBound...].prefix { $0 != "\\" } }
    }
    #expect(sources.map(String.init) == numbers)
  }

  @Test func `unordered results are complete`() throws {
    let outcome = try check(String(repeating: "x\u{0}\n", count: 5_000))
    #expect(outcome.lines.count == 5_000)
    #expect(outcome.lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
  }

  @Test func `a table for people cannot be hijacked by a name`() throws {
    let outcome = try Spawn.run(["check", "-"], input: "\u{1B}[31m\u{202E}\t\u{0}\n")
    #expect(outcome.output.contains("\\u{1B}[31m\\u{202E}\\t\\u{0}"))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(outcome.output.contains("\n  invalid-url: "))
    #expect(outcome.errors.hasPrefix("1 source: 0 deliverable, 0 rejected, 1 unobtainable in "))
  }

  @Test func `columns are aligned`() throws {
    let outcome = try Spawn.run(["check", "--ordered", "-"], input: "aaa\u{0}\nb\u{0}\n")
    let column = try #require(outcome.lines.first?.firstRange(of: "SOURCE")?.lowerBound)
    let offset = outcome.output.distance(from: outcome.output.startIndex, to: column)
    for (line, source) in zip([1, 3], ["aaa", "b"]) {
      #expect(outcome.lines[line].dropFirst(offset).hasPrefix(source))
    }
  }
}
