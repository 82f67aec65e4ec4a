import Glibc

/// Reads whole files, whatever their size is said to be.
enum DescriptorReader {
  /// The content of a file; nothing where it cannot be opened.
  static func content(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return content(of: descriptor)
  }

  /// The content behind a descriptor from its beginning; the place in the file is left alone.
  static func content(of descriptor: CInt) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      // Invariant: `pread` writes no more than the array's count.
      let count = pread(descriptor, &piece, piece.count, off_t(bytes.count))
      guard count > 0 else { return bytes }
      bytes += piece.prefix(count)
    }
  }
}
