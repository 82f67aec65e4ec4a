import Foundation
import TestSupport
import Testing

/// Policies from files: printed, edited, passed back.
@Suite(.timeLimit(.minutes(1)))
struct PolicyOptionTests {
  private static let picture = Fixture("jpeg/valid/photo-1600x1200.jpg").path

  @Test(arguments: ["push", "web-push", "mms"])
  func `a printed policy can be passed back under a name of its own`(name: String) async throws {
    let folder = try TemporaryFolder()
    let shown = try await CommandRun.of(CommandRun.affix, ["list", "policies", "--show", name])
    #expect(shown.ending == .exited(0))
    let kept = try String(
      contentsOfFile: "\(Fixture.projectFolder)/Sources/PolicyChecking/Policies/\(name).json",
      encoding: .utf8
    )
    #expect(shown.output == kept)
    let edited = shown.output.replacing("\"\(name)\"", with: "\"mine\"", maxReplacements: 1)
      .replacing("\"jpeg\": {}", with: "\"jpeg\": { \"max_bytes\": 1000 }")
    try folder.write(Array(edited.utf8), to: "mine")
    let answer = try await CommandRun.of(
      CommandRun.affix,
      ["check", "--json", "--policy", name, "--policy", "mine", Self.picture],
      in: folder.path
    )
    #expect(answer.ending == .exited(1), "\(answer.errorOutput)")
    #expect(answer.output.contains(#""policy":"mine","verdict":"rejected""#))
    #expect(answer.output.contains(#""policy":"\#(name)","verdict":"deliverable""#))
  }

  @Test(
    arguments: [
      ("{\n  \"name\": \"x\",\n}", "malformed: policy is not JSON at line 3, column 1"),
      ("{}", "missing-key: policy has no \"name\""),
      (
        #"{"name":"x","title":"t","summary":"s","sources":[],"formats":{"jpeg":{"max_bytes":-1}}}"#,
        "invalid-value: formats.jpeg.max_bytes is -1; a limit is 1 or more"
      ),
    ]
  )
  func `a file that is no policy is refused with the place`(
    text: String,
    words: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(text.utf8), to: "p.json")
    let run = try await CommandRun.of(CommandRun.affix, ["check", "--policy", file, Self.picture])
    #expect(run.ending == .exited(64))
    #expect(run.errorOutput.contains("--policy is '"))
    #expect(run.errorOutput.contains("it is no policy: \(words)"), "\(run.errorOutput)")
  }

  @Test(
    arguments: [
      (["check", "--policy", "./absent.json", "x"], "cannot be opened: No such file or directory"),
      (["check", "--policy", "/", "x"], "cannot be read: Is a directory"),
      (["check", "--policy", "/dev/zero", "x"], "larger than 1 MB"),
      (["check", "--policy", "aple", "x"], "did you mean 'apple'?"),
      (["list", "policies", "--show", "aple"], "did you mean 'apple'?"),
      (["list", "codes", "--show", "apple"], "--show is for policies"),
    ]
  )
  func `what is no policy says what to do`(arguments: [String], words: String) async throws {
    let run = try await CommandRun.of(CommandRun.affix, arguments)
    #expect(run.ending == .exited(64))
    #expect(run.errorOutput.contains(words), "\(run.errorOutput)")
  }

  @Test func `a list of policies where one belongs says how several are given`() async throws {
    let answer = try await CheckAnswer.of(["--policy", "apple,mms", "a.jpg"])
    #expect(answer.run.ending == .exited(64))
    #expect(answer.run.errorOutput.contains("must be one policy; give the option once for each"))
  }

  @Test func `two policies of one name are told apart or refused`() async throws {
    let folder = try TemporaryFolder()
    let shown = try await CommandRun.of(CommandRun.affix, ["list", "policies", "--show", "honor"])
    let same = try folder.write(shown.outputBytes, to: "same.json")
    let edited = shown.output.replacing("100000", with: "200000")
    let other = try folder.write(Array(edited.utf8), to: "other.json")
    let twice = ["check", "--json", "--policy", "honor", "--policy"]
    let equal = try await CommandRun.of(CommandRun.affix, twice + [same, Self.picture])
    #expect(equal.ending == .exited(1))
    #expect(!equal.output.contains("\"policies\""))
    let unequal = try await CommandRun.of(CommandRun.affix, twice + [other, Self.picture])
    #expect(unequal.ending == .exited(64))
    #expect(unequal.errorOutput.contains("another policy named honor"))
  }
}
