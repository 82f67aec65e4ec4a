/// What an origin makes of a Range field.
public enum OriginRanges: Sendable, Hashable, CaseIterable {
  /// 206 with the part that was asked for, or 416.
  case honoured
  /// 200 with everything.
  case ignored
  /// 206 with the whole body's first bytes, whatever was asked for, and a Content-Range that says so.
  case shifted
  /// 206 with the part that was asked for, whatever `If-Range` says.
  case unconditional
  /// 206 with the first half of the part that was asked for, and a Content-Range that says so
  /// (RFC 9110, 15.3.7).
  case halved
  /// 206 with the part that was asked for, and as many bytes again behind it.
  case overlong
}

/// A body with validators, which answers conditional and range requests (RFC 9110, 13 and 14).
struct OriginRepresentation: Sendable {
  var bytes: [UInt8]
  var type: String
  var entityTag: String?
  var lastModified: String?
  var ranges: OriginRanges

  /// What a request gets: 304, 206, 416 or 200.
  func answer(to request: OriginRequest) -> OriginAnswer {
    var fields = entityTag.map { [OriginHeader("ETag", $0)] } ?? []
    if let lastModified { fields.append(OriginHeader("Last-Modified", lastModified)) }
    guard !isUnchanged(for: request) else { return OriginAnswer(status: 304, headers: fields) }
    if ranges != .ignored { fields.append(OriginHeader("Accept-Ranges", "bytes")) }
    guard ranges != .ignored, let asked = request["Range"], mayBeRanged(for: request),
      let wanted = Self.range(asked, of: bytes.count)
    else { return OriginAnswer(type: type, headers: fields, body: bytes) }
    let range =
      switch ranges {
      case .shifted: 0..<wanted.count
      case .halved: wanted.prefix((wanted.count + 1) / 2)
      case .honoured, .ignored, .unconditional, .overlong: wanted
      }
    guard !range.isEmpty else {
      fields.append(OriginHeader("Content-Range", "bytes */\(bytes.count)"))
      return OriginAnswer(status: 416, headers: fields)
    }
    fields.append(
      OriginHeader(
        "Content-Range",
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
      )
    )
    let excess = ranges == .overlong ? range.count : 0
    return OriginAnswer(
      status: 206,
      type: type,
      headers: fields,
      body: bytes[range] + [UInt8](repeating: 0, count: excess)
    )
  }

  /// If-None-Match compares weakly and goes before If-Modified-Since (RFC 9110, 13.2.2).
  private func isUnchanged(for request: OriginRequest) -> Bool {
    if let tags = request["If-None-Match"] {
      guard let entityTag else { return false }
      return tags == "*"
        || tags.split(separator: ",").contains {
          Self.opaque($0.drop { $0 == " " }) == Self.opaque(entityTag[...])
        }
    }
    return lastModified != nil && request["If-Modified-Since"] == lastModified
  }

  /// If-Range compares strongly: a weak tag never matches (RFC 9110, 13.1.5).
  private func mayBeRanged(for request: OriginRequest) -> Bool {
    guard ranges != .unconditional, let condition = request["If-Range"] else { return true }
    return condition == lastModified || (condition == entityTag && !condition.hasPrefix("W/"))
  }

  private static func opaque(_ tag: Substring) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
  }

  /// Reads one range; nothing where there are several or none, an empty one where it cannot be met.
  private static func range(_ text: String, of size: Int) -> Range<Int>? {
    let prefix = "bytes="
    let ends = text.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
    guard text.hasPrefix(prefix), ends.count == 2 else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last?) where last >= first:
      return first < size ? first..<min(size, last + 1) : 0..<0
    case (let first?, nil) where ends[1].isEmpty:
      return first < size ? first..<size : 0..<0
    case (nil, let count?) where ends[0].isEmpty:
      return max(0, size - count)..<size
    default: return nil
    }
  }
}
