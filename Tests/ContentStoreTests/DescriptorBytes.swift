import Glibc

/// Reads what is behind a descriptor, and closes it.
enum DescriptorBytes {
  static func read(_ file: CInt) -> [UInt8] {
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(file, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(count, 0)))
  }
}
