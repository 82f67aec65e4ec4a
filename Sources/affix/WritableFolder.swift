import Glibc

/// Tells before a run whether a folder could be written to, or made.
enum WritableFolder {
  /// What stands in the way; nothing is made to find out.
  ///
  /// - Parameter path: As given; what does not exist is judged by the folder that it would lie in.
  /// - Returns: The system's word for it, or nothing.
  static func problem(of path: String) -> String? {
    var place = path
    var status = stat()
    while stat(place, &status) != 0 {
      let error = errno
      // A link that leads nowhere is there, and so no folder can be made in its place.
      guard error == ENOENT, !isLink(place), let parent = parent(of: place) else {
        return String(cString: strerror(error))
      }
      place = parent
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return String(cString: strerror(ENOTDIR)) }
    return access(place, W_OK | X_OK) == 0 ? nil : String(cString: strerror(errno))
  }

  private static func isLink(_ path: String) -> Bool {
    // With a slash behind it the link would be followed.
    guard let end = path.lastIndex(where: { $0 != "/" }) else { return false }
    var status = stat()
    return lstat(String(path[...end]), &status) == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The folder that a path lies in; nothing for one that has no name, as `/`, or is empty.
  private static func parent(of path: String) -> String? {
    guard let end = path.lastIndex(where: { $0 != "/" }), path != "." else { return nil }
    guard let slash = path[...end].lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
