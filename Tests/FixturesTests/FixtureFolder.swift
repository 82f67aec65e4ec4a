import Foundation
import TestSupport

/// A folder that `fixtures/generate` wrote: the committed one, or one made anew.
struct FixtureFolder {
  let url: URL

  /// What is committed.
  static let committed = FixtureFolder(
    url: URL(fileURLWithPath: Fixture.projectFolder).appendingPathComponent("fixtures")
  )

  /// The files below `media`, by their paths from there, sorted.
  func mediaPaths() throws -> [String] {
    let media = url.appendingPathComponent("media").path
    return try FileManager.default.subpathsOfDirectory(atPath: media)
      .filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(
          atPath: "\(media)/\(path)",
          isDirectory: &isFolder
        ) && !isFolder.boolValue
      }
      .sorted()
  }

  /// The content of a file, by its path from this folder.
  func content(of path: String) throws -> Data {
    try Data(contentsOf: url.appendingPathComponent(path))
  }

  /// The fields of a table's lines, without its heading.
  func table(_ path: String, hasHeading: Bool = true) throws -> [[String]] {
    String(decoding: try content(of: path), as: UTF8.self)
      .split(separator: "\n")
      .dropFirst(hasHeading ? 1 : 0)
      .map { line in
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
  }
}
