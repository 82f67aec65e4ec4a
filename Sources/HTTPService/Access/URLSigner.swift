import Cryptography

/// Signs addresses of contents and previews, so that a phone can fetch them without a token.
public struct URLSigner: Sendable {
  private struct Key: Sendable {
    let name: String
    let authentication: MessageAuthentication
  }

  private var keys: [Key] = []

  /// Reads a key a line: a name and at least 32 hexadecimal digits, as in `2026a 9f86d0...`.
  ///
  /// The first key signs, every one verifies: to rotate, put the new one first, and take the old
  /// one out once all that it signed has expired. Empty lines and lines that begin with `#` do not
  /// count.
  ///
  /// - Parameter text: The content of a file.
  /// - Throws: `invalid-configuration` with the line's number, never its content.
  public init(text: String) throws(ServiceError) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let name = words.first, line.first != "#" else { continue }
      guard words.count == 2, let key = Self.bytes(words[1]), key.count >= 16,
        name.utf8.allSatisfy({ Self.isNameByte($0) }), !keys.contains(where: { $0.name == name })
      else {
        throw ServiceError(
          .invalidConfiguration,
          "line \(number + 1) of the signing keys is not a new name of letters and digits, and at "
            + "least 32 hexadecimal digits"
        )
      }
      keys.append(Key(name: String(name), authentication: MessageAuthentication(key: key)))
    }
    guard !keys.isEmpty else {
      throw ServiceError(.invalidConfiguration, "there is no signing key")
    }
  }

  /// The query that makes an address public until a moment.
  ///
  /// - Parameters:
  ///   - path: The path, as it will be asked for.
  ///   - expires: Seconds since 1970.
  /// - Returns: Without a question mark.
  func query(for path: String, expires: Int64) -> String {
    guard let key = keys.first else { return "" }
    let code = key.authentication.code(for: Self.message(path, expires, key.name))
    return "expires=\(expires)&key=\(key.name)&signature=\(Self.text(code))"
  }

  /// Whether a signed address is good.
  ///
  /// - Parameters:
  ///   - target: Path and query, as received.
  ///   - path: The path of the target.
  ///   - now: Seconds since 1970.
  /// - Returns: When it expires, in seconds since 1970; nothing where it is not good.
  func expiry(of target: RequestTarget, path: String, now: Int64) -> Int64? {
    func value(_ name: String) -> String? {
      target.query.first { $0.name == name }?.value
    }
    guard let expires = value("expires").flatMap({ Int64($0) }), expires > now,
      let name = value("key"), let key = keys.first(where: { $0.name == name }),
      let code = value("signature").flatMap(Self.bytes),
      key.authentication.isValid(code, for: Self.message(path, expires, key.name))
    else { return nil }
    return expires
  }

  private static func message(_ path: String, _ expires: Int64, _ key: String) -> [UInt8] {
    Array("GET\n\(path)\n\(expires)\n\(key)".utf8)
  }

  private static func text(_ code: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self
    )
  }

  private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.count <= 1_024 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard
        let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16),
        digits[index] != UInt8(ascii: "+"), digits[index] != UInt8(ascii: "-")
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
