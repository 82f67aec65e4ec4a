import Cryptography

/// The tokens that callers may show; none of them is kept, only what it hashes to.
public struct AccessTokens: Sendable {
  private struct Entry: Sendable {
    let label: String
    let digest: SHA256Digest
  }

  private var entries: [Entry] = []

  /// The fewest characters of a token: 16 of the usual ones hold about 80 bits.
  public static let fewestCharacters = 16

  /// No tokens.
  public init() {}

  /// Reads a token a line, with a label before it or without one: `campaigns s3cr3t...`.
  ///
  /// Empty lines and lines that begin with `#` do not count. A text without any token is refused:
  /// whoever names one wants the service closed, and without tokens it is open.
  ///
  /// - Parameter text: The content of a file.
  /// - Throws: `invalid-configuration` with the line's number, never its content.
  public init(text: String) throws(ServiceError) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let token = words.last, line.first != "#" else { continue }
      guard words.count <= 2, token.utf8.count >= Self.fewestCharacters,
        token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else {
        throw ServiceError(
          .invalidConfiguration,
          "line \(number + 1) of the tokens is no token of at least \(Self.fewestCharacters) "
            + "visible ASCII characters, with or without a label before it"
        )
      }
      let label = words.count == 2 ? String(words[0]) : "token-\(entries.count + 1)"
      entries.append(Entry(label: label, digest: Self.digest(token)))
    }
    guard !entries.isEmpty else {
      throw ServiceError(
        .invalidConfiguration,
        "there is no token in it; write one a line, of at least \(Self.fewestCharacters) visible "
          + "ASCII characters, with or without a label before it"
      )
    }
  }

  /// Whether there is none.
  public var isEmpty: Bool {
    entries.isEmpty
  }

  /// Whose token this is.
  ///
  /// Compares with every token, each in constant time, so that the time tells nothing.
  ///
  /// - Parameter token: As shown.
  /// - Returns: The label; nothing for a token that is none of these.
  func label(of token: String) -> String? {
    let shown = Self.digest(token)
    var found: String?
    for entry in entries where ConstantTime.areEqual(entry.digest.bytes, shown.bytes) {
      found = entry.label
    }
    return found
  }

  private static func digest(_ token: some StringProtocol) -> SHA256Digest {
    let hasher = SHA256Hasher()
    hasher.update(token.utf8)
    return hasher.finalize()
  }
}
