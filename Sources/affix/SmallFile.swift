import Glibc

/// Reads files that people write: options and policies.
enum SmallFile {
  /// Why a file cannot be read, to be put behind its name.
  struct Unreadable: Error {
    let reason: String
  }

  /// More is no such file but a mistaken path.
  private static let largestSize = 1_000_000

  /// The whole content; blocks.
  ///
  /// - Parameter path: As given.
  /// - Returns: At most 1 MB.
  /// - Throws: Where it cannot be opened or read, or is larger.
  static func read(_ path: String) throws(Unreadable) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Unreadable(reason: "cannot be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1_024)
    while bytes.count <= largestSize {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += piece.prefix(count)
      } else if errno != EINTR {
        throw Unreadable(reason: "cannot be read: \(String(cString: strerror(errno)))")
      }
    }
    throw Unreadable(reason: "is larger than 1 MB; is it the right file?")
  }
}
