/// What a request demands of what is there (RFC 9110, section 13), by entity tags.
///
/// Nothing here has a date of change, so conditions on dates do not count.
struct RequestConditions {
  /// What they make of a request.
  enum Outcome {
    case proceed
    /// The client has it already.
    case notModified
    /// 412: it is not what the client thinks it is.
    case failed
  }

  private let match: [String]?
  private let noneMatch: [String]?
  private let isRead: Bool

  /// The conditions of a request.
  init(_ head: RequestHead) {
    match = Self.tags(head.values(of: "if-match"))
    noneMatch = Self.tags(head.values(of: "if-none-match"))
    isRead = head.method == .get || head.method == .head
  }

  /// Holds them against what is there.
  ///
  /// - Parameter entityTag: Of what is there, in quotes; nothing where it has none.
  /// - Returns: Whether the request is to be met.
  func outcome(for entityTag: String?) -> Outcome {
    // Only strong tags match strongly; all of ours are strong.
    if let match, !match.contains("*"), !match.contains(where: { $0 == entityTag }) {
      return .failed
    }
    if let noneMatch {
      let weak = noneMatch.map { $0.hasPrefix("W/") ? String($0.dropFirst(2)) : $0 }
      if weak.contains("*") || weak.contains(where: { $0 == entityTag }) {
        return isRead ? .notModified : .failed
      }
    }
    return .proceed
  }

  /// What is said to those whose condition does not hold.
  static let failed = Problem(
    .preconditionFailed,
    "what is there is not what If-Match or If-None-Match ask for; get it again for its ETag"
  )

  /// The tags of a list, with their quotes, between which a comma is part of a tag; nothing where
  /// there is no such field.
  private static func tags(_ fields: [String]) -> [String]? {
    guard !fields.isEmpty else { return nil }
    var tags: [String] = []
    for field in fields {
      var tag = ""
      var isQuoted = false
      for character in field + "," {
        switch character {
        case "\"":
          isQuoted.toggle()
          tag.append(character)
        case "," where !isQuoted:
          if !tag.isEmpty { tags.append(tag) }
          tag = ""
        case " ", "\t":
          if isQuoted { tag.append(character) }
        default: tag.append(character)
        }
      }
    }
    return tags
  }
}
