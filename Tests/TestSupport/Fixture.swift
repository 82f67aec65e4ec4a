/// The committed media files that tests work on.
public struct Fixture: Sendable, Hashable, CustomStringConvertible {
  /// The path from `fixtures/media`, as in `jpeg/valid/baseline.jpg`.
  public let name: String

  /// A fixture by its path from `fixtures/media`.
  public init(_ name: String) {
    self.name = name
  }

  /// The project's top folder.
  public static let projectFolder = {
    var parts = #filePath.split(separator: "/")
    parts.removeLast(3)
    return "/" + parts.joined(separator: "/")
  }()

  /// The absolute path.
  public var path: String {
    "\(Self.projectFolder)/fixtures/media/\(name)"
  }

  /// The name, in test output.
  public var description: String {
    name
  }

  /// The whole content; empty where the file cannot be read.
  public var bytes: [UInt8] {
    DescriptorReader.content(of: path) ?? []
  }
}
