import Glibc
import TestSupport
import Testing

/// The scripts say what a machine lacks, with an exit status that is no verdict.
@Suite(.timeLimit(.minutes(1)))
struct ScriptsTests {
  /// A copy of the scripts in a folder with a space in its name, and a PATH with hardly anything.
  private static func run(swift: String? = nil) async throws -> CommandRun {
    let folder = try TemporaryFolder()
    let setUp = """
      set -e
      mkdir -p "$1/a clone" "$1/bin"
      cp -r "$0/scripts" "$1/a clone/"
      mkdir "$1/a clone/Sources"
      touch "$1/a clone/Package.swift"
      for tool in bash readlink dirname find mkdir flock dpkg-query id env sed mktemp rm cat; do
        ln -s "$(command -v $tool)" "$1/bin/"
      done
      ln -s "$1/a clone/scripts/affix" "$1/bin/affix"
      [ -z "$2" ] || { printf '#!/bin/sh\n%s\n' "$2" >"$1/bin/swift"; chmod 755 "$1/bin/swift"; }
      PATH=$1/bin exec "$1/bin/affix" version
      """
    let run = try await CommandRun.of(
      "/bin/bash",
      ["-c", setUp, Fixture.projectFolder, folder.path, swift ?? ""]
    )
    folder.remove()
    return run
  }

  @Test func `without Swift it is said where to get it`() async throws {
    let run = try await Self.run()
    #expect(run.ending == .exited(69))
    #expect(run.errorOutput.contains("there is no 'swift' in PATH"))
    #expect(run.errorOutput.contains("https://www.swift.org/install"))
  }

  @Test func `an old Swift is named`() async throws {
    let run = try await Self.run(swift: "echo 'Swift version 5.10 (swift-5.10-RELEASE)'")
    #expect(run.ending == .exited(69))
    #expect(run.errorOutput.contains("is 5.10"))
  }

  @Test func `a Swift that does not run is told from a missing one`() async throws {
    let run = try await Self.run(swift: "echo 'libncurses.so.6: no such file' >&2; exit 127")
    #expect(run.ending == .exited(69))
    #expect(run.errorOutput.contains("does not run: libncurses.so.6"))
  }
}
