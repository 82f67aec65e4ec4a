import Cryptography
import Glibc

/// A file on its way into the store; leaves nothing behind unless it is published.
final class IncomingFile {
  private let descriptor: CInt
  private let name: String
  private let folder: ContentFolder
  private var isPublished = false

  /// Takes over an open descriptor, which holds the lock on the file.
  init(descriptor: CInt, name: String, folder: ContentFolder) {
    self.descriptor = descriptor
    self.name = name
    self.folder = folder
  }

  deinit {
    if !isPublished { folder.remove(name: name) }
    close(descriptor)
  }

  /// Copies the beginning of a file, by the kernel, without moving the place in it.
  ///
  /// - Parameters:
  ///   - source: An open regular file.
  ///   - sizeBytes: How much.
  /// - Throws: `storage-full`; `unreadable` where the source ends early or cannot be read.
  func fill(from source: CInt, sizeBytes: Int64) throws(ContentStoreError) {
    var done: off_t = 0
    while done < sizeBytes {
      // At most 1 GiB a call, which the kernel takes.
      let wanted = Int(min(sizeBytes - Int64(done), 1 << 30))
      let count = sendfile(descriptor, source, &done, wanted)
      if count == 0 {
        throw ContentStoreError(
          .unreadable,
          "the file to store ends after \(done) bytes; \(sizeBytes) were announced"
        )
      }
      if count < 0, errno != EINTR {
        throw ContentStoreError(
          systemError: errno,
          "a file of \(sizeBytes) bytes cannot be stored",
          otherwise: .unreadable
        )
      }
    }
  }

  /// Writes bytes, all of them.
  ///
  /// - Throws: `storage-full`.
  func fill(with bytes: [UInt8]) throws(ContentStoreError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Invariant: the buffer is the slice's own, and valid within the closure.
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw ContentStoreError(
          systemError: errno,
          "\(bytes.count) bytes cannot be stored",
          otherwise: .storageFull
        )
      }
    }
  }

  /// The digest of what is in the file, which is what will be served, whatever the source was.
  func digest() throws(ContentStoreError) -> SHA256Digest {
    guard let digest = SHA256Hasher.digest(ofFile: descriptor) else {
      throw ContentStoreError(systemError: errno, "the stored copy cannot be read")
    }
    return digest
  }

  /// Gives the file its final name.
  func publish(as digest: SHA256Digest) throws(ContentStoreError) {
    try folder.publish(name, as: digest)
    isPublished = true
  }
}
