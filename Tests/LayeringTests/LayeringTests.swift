import Foundation
import TestSupport
import Testing

/// The house as it stands keeps its own rules.
@Suite(.timeLimit(.minutes(1)))
struct LayeringTests {
  private static func sources() throws -> [SourceFile] {
    let top = Fixture.projectFolder
    let names = try FileManager.default.subpathsOfDirectory(atPath: "\(top)/Sources")
    return try names.filter { $0.hasSuffix(".swift") }.map { name in
      let path = "Sources/\(name)"
      return SourceFile(
        path: path,
        text: try String(contentsOfFile: "\(top)/\(path)", encoding: .utf8)
      )
    }
  }

  @Test func `every source file keeps the rules of the house`() throws {
    let sources = try Self.sources()
    #expect(sources.count > 50)
    #expect(HouseRules.violations(in: sources) == [])
  }

  @Test func `every Swift target of the package has its arrows in the table`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: "\(Fixture.projectFolder)/Sources"
    )
    let swiftTargets = Set(folders.filter { HouseRules.arrows[$0] != nil })
    let libraries = Set(HouseRules.arrows.values.joined()).subtracting(HouseRules.arrows.keys)
    #expect(swiftTargets == Set(HouseRules.arrows.keys))
    #expect(Set(folders).subtracting(swiftTargets).isSubset(of: libraries.union(["CMicroHTTPD"])))
  }

  @Test func `the top folder holds only what people and tools expect`() throws {
    let expected: Set = [
      "Package.swift", "Sources", "Tests", "fixtures", "bench", "README.md", "LICENSE",
      ".swift-format", ".editorconfig", ".gitignore", ".ci", "scripts",
    ]
    let made: Set = [".git", ".build", ".swiftpm", "Package.resolved", ".vscode", ".idea"]
    let entries = try FileManager.default.contentsOfDirectory(atPath: Fixture.projectFolder)
    #expect(Set(entries).subtracting(made).subtracting(expected) == [])
  }
}
