/// A route's path, taken apart once: words, and names in braces.
struct PathPattern: Sendable {
  private enum Part: Sendable {
    case word(String)
    case name(String)
  }

  private let parts: [Part]

  /// Takes a path apart, as in `/v1/attachments/{id}`.
  init(_ path: String) {
    parts = path.split(separator: "/").map { part in
      part.first == "{" ? .name(String(part.dropFirst().dropLast())) : .word(String(part))
    }
  }

  /// Whether the segments of a path are of this pattern; what a name stands for is never empty.
  func fits(_ segments: [String]) -> Bool {
    parts.count == segments.count
      && zip(parts, segments).allSatisfy { part, segment in
        switch part {
        case .word(let word): word == segment
        case .name: !segment.isEmpty
        }
      }
  }

  /// What the names stand for in a path that fits.
  func parameters(of segments: [String]) -> [String: String] {
    var parameters: [String: String] = [:]
    for case (.name(let name), let segment) in zip(parts, segments) { parameters[name] = segment }
    return parameters
  }
}
