import CCrypto
import Glibc

/// Computes SHA-256 over bytes that come in pieces.
///
/// Not `Sendable`: one hasher belongs to one piece of work.
public final class SHA256Hasher {
  private let context: OpaquePointer

  /// A hasher that has seen nothing.
  public init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      // libcrypto's default provider always has SHA-256; without memory there is no way on.
      fatalError("libcrypto cannot start a SHA-256 digest")
    }
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// Adds bytes.
  public func update(_ bytes: some Sequence<UInt8>) {
    // Invariant: libcrypto reads exactly the buffer, while it is valid.
    let added: Void? = bytes.withContiguousStorageIfAvailable { add(UnsafeRawBufferPointer($0)) }
    if added == nil { Array(bytes).withUnsafeBytes(add) }
  }

  /// The digest of everything added so far; the hasher must not be used afterwards.
  public func finalize() -> SHA256Digest {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return SHA256Digest(bytes: digest)
  }

  /// Digests a whole file from its beginning, in pieces, without moving the file position.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameter descriptor: An open, seekable file.
  /// - Returns: Nothing where the file cannot be read.
  public static func digest(ofFile descriptor: CInt) -> SHA256Digest? {
    let hasher = SHA256Hasher()
    var offset: off_t = 0
    return withUnsafeTemporaryAllocation(byteCount: 128 * 1_024, alignment: 16) { buffer in
      while true {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
        if count > 0 {
          // Invariant: pread filled the first `count` bytes of the buffer.
          hasher.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          offset += off_t(count)
        } else if count == 0 {
          return hasher.finalize()
        } else if errno != EINTR {
          return nil
        }
      }
    }
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }
}
