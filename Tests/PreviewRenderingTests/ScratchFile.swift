import AttachmentModel
import Glibc

/// An open file without a name, gone with its last reference.
final class ScratchFile {
  let descriptor: CInt
  let size: ByteCount

  init(_ bytes: [UInt8]) {
    var template = Array("/tmp/affix-preview-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    size = ByteCount(Int64(bytes.count))
    unlink(template)
    var written = 0
    while written < bytes.count {
      // Invariant: the buffer is read within its own bounds, while the closure runs.
      let count = bytes[written...].withUnsafeBytes {
        write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { break }
      written += count
    }
  }

  var slice: FileSlice {
    FileSlice(descriptor: descriptor, size: size)
  }

  deinit {
    close(descriptor)
  }
}
