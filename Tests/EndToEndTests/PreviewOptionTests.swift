import Glibc
import TestSupport
import Testing

/// What previews are like, as the command's options ask.
@Suite(.timeLimit(.minutes(1)))
struct PreviewOptionTests {
  private static let photo = Fixture("jpeg/valid/photo-1600x1200.jpg").path

  private func preview(_ arguments: [String]) async throws -> [String: Any] {
    try await CheckAnswer.of(arguments).part("preview")
  }

  @Test(
    arguments: [
      (["--policy", "push"], 300_000), (["--policy", "honor"], 100_000),
      (["--policy", "push", "--policy", "honor"], 100_000),
      (["--policy", "honor", "--preview-bytes", "110kB"], 110_000),
    ] as [([String], Int)]
  )
  func `a preview is one that every policy takes, unless its size is given`(
    arguments: [String],
    limit: Int
  ) async throws {
    let size = try #require(try await preview(arguments + [Self.photo])["size_bytes"] as? Int)
    #expect(size <= limit)
    // The photo's own preview has 118 kB, so that the smaller limits bind.
    #expect(size > min(limit, 115_000) * 9 / 10)
  }

  @Test(
    arguments: [
      ("png/valid/rgba.png", ["jpeg"], "jpeg", "send a preview instead: a JPEG of"),
      ("gif/valid/animated.gif", ["jpeg"], "jpeg", "send a preview instead: a JPEG of"),
      ("gif/valid/animated.gif", ["jpeg", "png"], "png", "send a preview instead: a picture of"),
      (
        "webp/valid/animated.webp", ["jpeg", "gif"], "gif", "send a preview instead: a picture of"
      ),
      ("jpeg/valid/photo-1600x1200.jpg", ["png"], "png", "export it as a PNG"),
    ] as [(String, [String], String, String)]
  )
  func `a preview is of a format that the policy takes, and the remedy names no other`(
    fixture: String,
    formats: [String],
    format: String,
    remedy: String
  ) async throws {
    let folder = try TemporaryFolder()
    let accepted = formats.map { "\"\($0)\":{}" }.joined(separator: ",")
    let text =
      "{\"name\":\"t\",\"title\":\"t\",\"summary\":\"s\",\"sources\":[],"
      + "\"formats\":{\(accepted)}}"
    let policy = try folder.write(Array(text.utf8), to: "policy.json")
    let answer = try await CheckAnswer.of(
      ["--policy", policy, "--animated", "--preview-size", "200", Fixture(fixture).path]
    )
    #expect(answer.part("preview")["format"] as? String == format, "\(answer)")
    let violation = (answer.report["violations"] as? [[String: Any]])?.first
    #expect((violation?["remedy"] as? String)?.hasPrefix(remedy) == true, "\(answer)")
  }

  @Test(arguments: ["centre", "attention", "entropy"])
  func `a crop fills each frame that is asked for`(crop: String) async throws {
    let answer = try await CheckAnswer.of(
      ["--crop", crop, "--preview-size", "600x300", "--preview-size", "300x300", Self.photo]
    )
    let previews = answer.report["previews"] as? [[String: Any]] ?? []
    #expect(previews.compactMap { $0["width"] as? Int } == [600, 300], "\(answer)")
    #expect(previews.compactMap { $0["height"] as? Int } == [300, 300])
  }

  @Test(arguments: [("x.jpg", ""), ("x.png", "the preview is jpeg, which .png does not name")])
  func `a name of another format is told`(name: String, words: String) async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(name)"
    let run = try await CommandRun.of(CommandRun.affix, ["preview", Self.photo, "-o", path])
    #expect(run.ending == .exited(0))
    #expect(folder.contents == [name])
    #expect(run.errorOutput.contains(words) && run.errorOutput.isEmpty == words.isEmpty)
  }

  @Test(arguments: ["a.jpg", "link.jpg"])
  func `a preview never takes the place of its source`(name: String) async throws {
    let folder = try TemporaryFolder()
    let bytes = Fixture("jpeg/valid/baseline.jpg").bytes
    let path = try folder.write(bytes, to: "a.jpg")
    #expect(symlink("a.jpg", folder.path(of: "link.jpg")) == 0)
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["preview", path, "-o", folder.path(of: name)]
    )
    #expect(run.ending == .exited(64), "\(run.errorOutput)")
    #expect(run.errorOutput.contains("is the source itself"))
    #expect(folder.read("a.jpg") == bytes)
  }
}
