import Glibc

/// A folder of a test's own, which goes away with the value that stands for it.
public final class TemporaryFolder: Sendable {
  /// The absolute path.
  public let path: String

  /// Makes the folder in the system's temporary folder, for this user only.
  public init() throws(OriginError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = [CChar]("\(parent)/affix-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw OriginError(description: "no temporary folder in \(parent): errno \(errno)")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    remove()
  }

  /// The absolute path of something in the folder.
  public func path(of name: String) -> String {
    "\(path)/\(name)"
  }

  /// Writes a file, with the folders that it needs.
  ///
  /// - Parameters:
  ///   - bytes: Its content.
  ///   - name: Its path within the folder.
  /// - Returns: Its absolute path.
  /// - Throws: Where it cannot be written whole.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws(OriginError) -> String {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o700)
    }
    let path = path(of: name)
    guard let file = fopen(path, "we") else {
      throw OriginError(description: "cannot write \(path): errno \(errno)")
    }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else {
      throw OriginError(description: "cannot write \(path): errno \(errno)")
    }
    return path
  }

  /// The content of a file; nothing where there is none.
  public func read(_ name: String) -> [UInt8]? {
    DescriptorReader.content(of: path(of: name))
  }

  /// The paths of everything in the folder, from it, sorted; folders end in a slash.
  public var contents: [String] {
    Self.contents(of: path, depth: 0).sorted()
  }

  /// Removes the folder and everything in it; a second call does nothing.
  public func remove() {
    // The longest paths first, so that a folder is empty when its turn comes.
    for name in contents.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      Glibc.remove(path(of: name.hasSuffix("/") ? String(name.dropLast()) : name))
    }
    rmdir(path)
  }

  /// Links are listed, not followed; below 32 levels nothing is.
  private static func contents(of folder: String, depth: Int) -> [String] {
    guard depth < 32, let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // Invariant: the name is NUL-terminated within the entry, which lasts until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
      names.append(isFolder ? "\(name)/" : name)
      guard isFolder else { continue }
      names += contents(of: "\(folder)/\(name)", depth: depth + 1).map { "\(name)/\($0)" }
    }
    return names
  }
}
