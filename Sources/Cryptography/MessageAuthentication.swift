import CCrypto

/// HMAC-SHA256 (RFC 2104, FIPS 198-1): tells whether a text comes from somebody with the key.
public struct MessageAuthentication: Sendable {
  private let key: [UInt8]

  /// Codes under a key of any length; 32 bytes are enough, fewer than 16 are too few.
  public init(key: [UInt8]) {
    self.key = key
  }

  /// The code of a message.
  public func code(for message: some Sequence<UInt8>) -> [UInt8] {
    let message = Array(message)
    var code = [UInt8](repeating: 0, count: 32)
    var length: CUnsignedInt = 0
    // An empty key is a key: libcrypto wants a place all the same.
    let place = key.isEmpty ? [0] : key
    HMAC(EVP_sha256(), place, CInt(key.count), message, message.count, &code, &length)
    return code
  }

  /// Whether a code is the message's; takes the same time wherever they differ.
  ///
  /// - Parameters:
  ///   - code: As received.
  ///   - message: What it is said to be the code of.
  /// - Returns: False also for a code of another length.
  public func isValid(_ code: [UInt8], for message: some Sequence<UInt8>) -> Bool {
    ConstantTime.areEqual(code, self.code(for: message))
  }
}

/// Comparisons whose time tells nothing about what they compare.
public enum ConstantTime {
  /// Whether two secrets are the same; only their lengths show in the time that it takes.
  public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
  }
}
