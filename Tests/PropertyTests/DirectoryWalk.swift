import Glibc

/// Lists files.
enum DirectoryWalk {
  /// The paths of all regular files below a folder, in order.
  static func files(below folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var paths: [String] = []
    while let entry = readdir(directory) {
      // Invariant: d_name is a C string inside the entry, which lives until the next readdir.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      let path = "\(folder)/\(name)"
      paths += entry.pointee.d_type == UInt8(DT_DIR) ? files(below: path) : [path]
    }
    return paths.sorted()
  }
}
