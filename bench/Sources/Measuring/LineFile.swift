import Glibc

/// Reads a text file as lines; stops the process where it cannot be read.
public func lines(ofFile path: String) -> [String] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { stop("\(path) cannot be opened") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &piece, piece.count)
    if count <= 0 { break }
    bytes += piece[..<count]
  }
  return bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
}

/// How many entries a folder has, without `.` and `..`; nothing where it cannot be read.
public func entryCount(ofFolder path: String) -> Int? {
  guard let stream = opendir(path) else { return nil }
  defer { closedir(stream) }
  var count = 0
  while readdir(stream) != nil { count += 1 }
  return count - 2
}
