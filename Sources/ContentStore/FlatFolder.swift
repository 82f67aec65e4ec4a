import Glibc

/// Makes and lists folders that hold files alone.
package enum FlatFolder {
  /// Makes a folder and those above it, where they are missing.
  ///
  /// - Parameters:
  ///   - path: Absolute or relative.
  ///   - mode: The permissions of what is made, of which the process's mask is taken.
  /// - Returns: The one that cannot be made, with the system's error number; nothing where all are.
  package static func make(_ path: String, mode: UInt32) -> (path: String, error: CInt)? {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part
      var status = stat()
      let isFolder = stat(made, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      guard isFolder || mkdir(made, mode) == 0 || errno == EEXIST else { return (made, errno) }
      made += "/"
    }
    return nil
  }

  /// The names in an open folder, without `.` and `..`; none where it cannot be read.
  package static func names(in folder: CInt) -> [String] {
    let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { return [] }
    guard let stream = fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // Invariant: readdir returns a NUL-terminated name that stays valid until the next call.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
