import Foundation
import TestSupport
import Testing

/// What `--repair` makes of files that would not be delivered.
@Suite(.timeLimit(.minutes(2)))
struct RepairTests {
  private static let photo = "jpeg/valid/photo-1600x1200.jpg"

  private struct Repaired {
    let fixture: String
    let path: String
    let report: [String: Any]
  }

  /// The paths of all pictures among the fixtures whose pixels can be decoded.
  private static func fixtures() throws -> [String] {
    let table = try String(
      contentsOfFile: "\(Fixture.projectFolder)/fixtures/expectations.tsv",
      encoding: .utf8
    )
    let pictures = [
      "jpeg/", "png/", "apng/", "gif/", "webp/", "heic/", "avif/", "tiff/", "mp3/mis",
    ]
    return table.split(separator: "\n").compactMap { line in
      let path = String(line.prefix { $0 != "\t" })
      return pictures.contains { path.hasPrefix($0) } ? path : nil
    }
  }

  @Test func `what was repaired is deliverable, and nobody has to repair it again`() async throws {
    let folder = try TemporaryFolder()
    let fixtures = try Self.fixtures()
    let first = try await CheckAnswer.of(
      ["--ordered", "--no-preview", "--repair", "--output", folder.path]
        + fixtures.map { Fixture($0).path },
      deadline: .seconds(60)
    )
    #expect(first.reports.count == fixtures.count, "\(first.run.errorOutput)")
    var repaired: [Repaired] = []
    for (fixture, report) in zip(fixtures, first.reports) {
      guard let repair = report["repair"] as? [String: Any] else {
        // What needs no repair is what is delivered.
        #expect(report["verdict"] as? String == "deliverable", "\(fixture)")
        continue
      }
      if let path = repair["path"] as? String {
        repaired.append(Repaired(fixture: fixture, path: path, report: repair))
      } else {
        let error = repair["error"] as? [String: Any]
        #expect(error?["message"] as? String != nil, "\(fixture): \(repair)")
      }
    }
    #expect(repaired.count > 20)
    let second = try await CheckAnswer.of(
      ["--ordered", "--no-preview", "--repair"] + repaired.map(\.path),
      deadline: .seconds(60)
    )
    #expect(second.reports.count == repaired.count)
    for (file, report) in zip(repaired, second.reports) {
      #expect(report["verdict"] as? String == "deliverable", "\(file.fixture)")
      #expect(report["repair"] == nil, "\(file.fixture): \(report)")
      let media = report["media"] as? [String: Any] ?? [:]
      for name in ["format", "size_bytes", "width", "height"] {
        #expect("\(media[name] ?? "")" == "\(file.report[name] ?? "")", "\(file.fixture) \(name)")
      }
    }
  }

  private func repair(_ fixture: String, _ arguments: [String] = []) async throws -> [String: Any]?
  {
    let answer = try await CheckAnswer.of(["--repair"] + arguments + [Fixture(fixture).path])
    return answer.report["repair"] as? [String: Any]
  }

  @Test func `a sound picture is not touched`() async throws {
    #expect(try await repair(Self.photo) == nil)
  }

  @Test(
    arguments: [
      "webp/valid/still.webp", "heic/valid/still.heic", "avif/valid/still.avif",
      "tiff/valid/plain.tiff", "jpeg/valid/cmyk-adobe.jpg", "jpeg/valid/orientation-6.jpg",
      "jpeg/valid/trailing-bytes.jpg", "gif/mislabelled/polyglot-html.gif",
    ]
  )
  func `a picture that can be decoded is encoded again`(fixture: String) async throws {
    let repair = try #require(try await repair(fixture))
    let format = repair["format"] as? String ?? ""
    #expect(["jpeg", "png", "gif"].contains(format), "\(repair)")
    #expect(repair["path"] == nil)
  }

  @Test(arguments: ["webp/valid/animated.webp", "gif/valid/animated.gif"])
  func `an animation stays one`(fixture: String) async throws {
    let repair = try await repair(fixture)
    let isSound = fixture.hasSuffix("gif")
    #expect((repair == nil) == isSound, "\(repair ?? [:])")
    if let repair { #expect(repair["format"] as? String == "gif", "\(repair)") }
  }

  @Test(
    arguments: [
      ("heic/valid/still.heic", #"{"jpeg": {}}"#, "jpeg"),
      ("heic/valid/still.heic", #"{"png": {}}"#, "png"),
      ("png/valid/rgba.png", #"{"jpeg": {}}"#, "jpeg"),
      ("heic/valid/still.heic", #"{"gif": {}}"#, nil),
      (photo, #"{"png": {"max_bytes": 50000}}"#, nil),
      (photo, #"{"jpeg": {"max_bytes": 50000}}"#, "jpeg"),
    ] as [(String, String, String?)]
  )
  func `a repair is of a format that the policies take`(
    fixture: String,
    formats: String,
    expected: String?
  ) async throws {
    let folder = try TemporaryFolder()
    let policy = folder.path(of: "policy.json")
    try """
    {"name": "own", "title": "t", "summary": "s", "sources": [], "formats": \(formats)}
    """.write(toFile: policy, atomically: true, encoding: .utf8)
    let repair = try #require(await repair(fixture, ["--policy", policy]))
    #expect(repair["format"] as? String == expected, "\(repair)")
    #expect((repair["error"] == nil) == (expected != nil), "\(repair)")
  }

  @Test func `a wrong name costs no quality`() async throws {
    let folder = try TemporaryFolder()
    let fixture = "gif/mislabelled/gif-named.mp4"
    let repair = try #require(try await repair(fixture, ["--output", folder.path]))
    let path = try #require(repair["path"] as? String)
    #expect(path.hasSuffix(".gif"))
    let kept = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(kept == Fixture(fixture).bytes)
  }

  @Test func `a picture over the limit is made to fit at full size`() async throws {
    let repair = try #require(try await repair(Self.photo, ["--policy", "honor"]))
    #expect(try #require(repair["size_bytes"] as? Int) <= 100_000)
    // The preview of at most as many bytes is 1440 pixels wide.
    #expect(try #require(repair["width"] as? Int) > 1_440)
  }

  @Test(arguments: [OriginServer.Behavior.Framing.length, .chunked])
  func `a fetched picture over the limit gets its remedies as well`(
    framing: OriginServer.Behavior.Framing
  ) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let bytes = Fixture(Self.photo).bytes
    let url = origin.url(
      framing == .length ? .body(bytes, type: "image/jpeg") : .chunked(bytes, type: "image/jpeg"),
      named: "a.jpg"
    )
    let options = ["--policy", "honor", "--allow-private-addresses", url]
    let report = try await CheckAnswer.of(["--repair"] + options).report
    let repair = try #require(report["repair"] as? [String: Any])
    #expect(try #require(repair["size_bytes"] as? Int) <= 100_000)
    #expect((report["preview"] as? [String: Any])?["size_bytes"] != nil)
    #expect((report["transfer"] as? [String: Any])?["received_bytes"] as? Int == bytes.count)

    // Nobody wants a remedy: the limit ends it.
    let plain = try await CheckAnswer.of(["--no-preview"] + options).report
    let transfer = try #require(plain["transfer"] as? [String: Any])
    #expect((transfer["ended_early"] as? String)?.hasSuffix("too-large") == true)
    let media = plain["media"] as? [String: Any]
    #expect(media?["size_bytes"] == nil)
  }

  /// The lines under a source's row that tell of its preview and its repair.
  private static func told(_ arguments: [String]) async throws -> [String] {
    let run = try await CommandRun.of(
      CommandRun.affix,
      ["check", "--repair"] + arguments,
      in: Fixture.projectFolder
    )
    let lines = run.output.split(separator: "\n").map(String.init)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("  preview: ") }) else { return [] }
    return Array(lines[start...])
  }

  @Test func `the table tells what a repair made, beside the preview`() async throws {
    let photo = Fixture(Self.photo).path
    let report = try await CheckAnswer.of(["--repair", "--policy", "honor", photo]).report
    func size(_ name: String) throws -> String {
      let part = try #require(report[name] as? [String: Any])
      return "\(part["width"] ?? "")x\(part["height"] ?? "")"
    }
    let lines = try await Self.told(["--policy", "honor", photo])
    try #require(lines.count == 3, "\(lines)")
    #expect(lines[0].contains(#/^  preview: jpeg, [0-9.]+ kB, /#))
    #expect(lines[0].hasSuffix(", \(try size("preview"))"))
    #expect(lines[1].contains(#/^  repair: jpeg, [0-9.]+ kB, /#))
    #expect(lines[1].contains(", \(try size("repair")), instead of jpeg, 122 kB, 1600x1200"))
    #expect(lines[2] == "    -> name --output to keep it")
  }

  @Test func `the table tells where a repaired file lies`() async throws {
    let folder = try TemporaryFolder()
    let lines = try await Self.told([
      "--output", folder.path, Fixture("webp/valid/animated.webp").path,
    ])
    try #require(lines.count == 4, "\(lines)")
    for path in [lines[1], lines[3]].map({ $0.dropFirst("    -> ".count) }) {
      #expect(path.hasPrefix(folder.path) && FileManager.default.fileExists(atPath: String(path)))
    }
    #expect(lines[2].contains("instead of webp, 182 B, 64x48; 3 frames"), "\(lines)")
    #expect(lines[3].hasSuffix("-repaired.gif"))
  }

  @Test(
    arguments: [
      ("jpeg/valid/orientation-6.jpg", "turned upright"),
      ("jpeg/valid/cmyk-adobe.jpg", "RGB instead of CMYK"),
      ("jpeg/valid/trailing-bytes.jpg", "without what stood behind its end"),
    ]
  )
  func `the table tells what else a repair changed`(fixture: String, words: String) async throws {
    let lines = try await Self.told([Fixture(fixture).path])
    #expect(lines.contains { $0.hasPrefix("  repair: ") && $0.hasSuffix("; \(words)") })
  }

  @Test func `the table tells that another name is all that it takes`() async throws {
    let lines = try await Self.told([Fixture("gif/mislabelled/gif-named.mp4").path])
    #expect(lines.contains("  repair: the same bytes under the extension .gif"), "\(lines)")
  }

  @Test func `the table tells why nothing was repaired`() async throws {
    let lines = try await Self.told([Fixture("jpeg/damaged/cut-half.jpg").path])
    #expect(lines.contains { $0.hasPrefix("  repair: none; undecodable: truncated cannot be") })
  }

  @Test(
    arguments: [
      ("jpeg/damaged/cut-half.jpg", "truncated"), ("html/mislabelled/html-named.png", "pictures"),
      ("mp4-video/damaged/cut-half.mp4", "truncated"), ("mp4-video/damaged/vp9.mp4", "pictures"),
    ]
  )
  func `what cannot be repaired says why`(fixture: String, words: String) async throws {
    let repair = try #require(try await repair(fixture))
    let error = try #require(repair["error"] as? [String: Any])
    #expect((error["message"] as? String ?? "").contains(words), "\(error)")
  }

  @Test func `of several reasons the weightiest is told, every time`() async throws {
    let path = Fixture("other/damaged/fifteen-bytes.png").path
    let answer = try await CheckAnswer.of(
      ["--repair", "--no-preview"] + Array(repeating: path, count: 16)
    )
    let told = answer.reports.map { report in
      let repair = report["repair"] as? [String: Any]
      return (repair?["error"] as? [String: Any])?["message"] as? String
    }
    #expect(told.count == 16)
    let reason = "corrupt cannot be mended here; the file has to be made anew"
    #expect(Set(told) == [reason], "\(answer)")
  }
}
