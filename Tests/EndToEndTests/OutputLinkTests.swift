import Foundation
import TestSupport
import Testing

/// A file that is written takes the place of a file, never of what leads to it.
@Suite(.timeLimit(.minutes(1)), .serialized)
struct OutputLinkTests {
  private static let picture = Fixture("jpeg/valid/baseline.jpg").path

  /// Runs the command with a report in a file of the folder, and standard output in another.
  private func report(to name: String, in folder: TemporaryFolder) async throws -> CommandRun {
    let script = "cd \"$1\" && exec \"$0\" check --quick --report junit --report-file \"$2\" \"$3\""
    return try await CommandRun.of(
      "/bin/sh",
      ["-c", script + " >out", CommandRun.affix, folder.path, name, Self.picture]
    )
  }

  private func text(_ name: String, in folder: TemporaryFolder) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  private func link(_ name: String, to target: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(name)",
      withDestinationPath: target
    )
  }

  @Test(arguments: [false, true])
  func `a link stays, and its target is replaced`(isThere: Bool) async throws {
    let folder = try TemporaryFolder()
    if isThere {
      try "old".write(toFile: "\(folder.path)/target", atomically: false, encoding: .utf8)
    }
    try link("second", to: "target", in: folder)
    try link("first", to: "\(folder.path)/second", in: folder)
    let run = try await report(to: "first", in: folder)
    #expect(run.ending == .exited(0), "\(run)")
    #expect(try text("target", in: folder).contains("</testsuites>"))
    #expect(folder.contents.sorted() == ["first", "out", "second", "target"])
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/second")
    #expect(target == "target")
  }

  @Test(arguments: [1, 2]) func `a link to an open output is written through`(
    number: Int
  ) async throws {
    let folder = try TemporaryFolder()
    try link("link", to: "/proc/self/fd/\(number)", in: folder)
    let script = """
      cd "$1" && exec >out.1 2>out.2 && echo before >&\(number)
      "$0" check --quick --report junit --report-file link "$2" && echo behind >&\(number)
      """
    let run = try await CommandRun.of(
      "/bin/sh",
      ["-c", script, CommandRun.affix, folder.path, Self.picture]
    )
    #expect(run.ending == .exited(0), "\(run)")
    let written = try text("out.\(number)", in: folder)
    #expect(written.hasPrefix("before\n") && written.hasSuffix("behind\n"), "\(written)")
    #expect(written.contains("</testsuites>"), "\(written)")
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link")
    #expect(target == "/proc/self/fd/\(number)")
  }

  @Test func `links that lead nowhere are refused`() async throws {
    let folder = try TemporaryFolder()
    try link("round", to: "round", in: folder)
    let run = try await report(to: "round", in: folder)
    #expect(run.ending == .exited(64), "\(run)")
    #expect(run.errorOutput.contains("symbolic links"), "\(run)")
    #expect(folder.contents.sorted() == ["out", "round"])
  }
}
