import Glibc
import TestSupport

/// Files of the project itself.
enum File {
  /// The content of a file by its path from the project's top folder; empty where there is none.
  static func bytes(_ path: String) -> [UInt8] {
    let descriptor = open("\(Fixture.projectFolder)/\(path)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
