/// Why a source is unobtainable: the stage's own code and words.
public struct CheckError: Error, Sendable, Hashable, Codable {
  /// Stable, kebab-case, from a closed set: the download error codes, `unreadable`, `queue-full`.
  public let code: String
  /// What happened, in one line.
  public let message: String

  /// A reason with its explanation.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
