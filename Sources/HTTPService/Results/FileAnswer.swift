import AttachmentModel
import Glibc

/// Serves a kept file as RFC 9110 has it: validators, conditions, one range.
struct FileAnswer {
  private let content: ResultShelf.Content
  private let isPublic: Bool

  /// An answer with a file.
  ///
  /// - Parameters:
  ///   - content: What to serve.
  ///   - isPublic: Whether shared caches may keep it: its address is signed, so no token protects
  ///     it.
  init(_ content: ResultShelf.Content, isPublic: Bool) {
    self.content = content
    self.isPublic = isPublic
  }

  /// What a request is answered.
  ///
  /// - Parameter head: With `If-Match`, `If-None-Match`, `Range` and `If-Range`, if any.
  /// - Returns: 200, 206 or 304.
  /// - Throws: `precondition-failed`, `range-not-satisfiable`.
  func answer(to head: RequestHead) throws(Problem) -> HTTPAnswer {
    switch RequestConditions(head).outcome(for: entityTag) {
    case .proceed: break
    case .notModified: return described(HTTPAnswer(304))
    case .failed: throw RequestConditions.failed
    }
    let size = content.file.size.bytes
    var answer = HTTPAnswer(200)
    answer.body = .file(content.file, 0..<size)
    // Ranges are defined for GET alone (RFC 9110, section 14.2).
    if head.method == .get, let text = head["range"],
      head["if-range"].map({ $0 == entityTag }) ?? true
    {
      switch ByteRange.read(text, of: size) {
      case .whole: break
      case .part(let range):
        answer.status = 206
        answer.body = .file(content.file, range)
        answer.set("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
      case .unsatisfiable:
        var problem = Problem(
          .rangeNotSatisfiable,
          "the range lies outside the \(size) bytes that there are"
        )
        problem.fields = [.init(name: "Content-Range", value: "bytes */\(size)")]
        throw problem
      }
    }
    answer.set("Content-Type", servedType)
    if servedType == Self.anonymousType {
      answer.set("Content-Disposition", "attachment")
    }
    return described(answer)
  }

  private var entityTag: String {
    "\"\(content.digest)\""
  }

  private static let anonymousType = "application/octet-stream"

  /// Only media are called by their type: a page or a script that was checked must not run here.
  private var servedType: String {
    let isMedia =
      ["image/", "audio/", "video/"].contains { content.mediaType.hasPrefix($0) }
      && content.mediaType != "image/svg+xml"
    return isMedia ? content.mediaType : Self.anonymousType
  }

  private func described(_ answer: HTTPAnswer) -> HTTPAnswer {
    var answer = answer
    answer.set("ETag", entityTag)
    answer.set("Accept-Ranges", "bytes")
    answer.set("Content-Security-Policy", "default-src 'none'; sandbox")
    let left = max(0, (content.expiresAt ?? 0) - Int64(time(nil)))
    answer.set(
      "Cache-Control",
      "\(isPublic ? "public" : "private"), max-age=\(left), immutable"
    )
    return answer
  }
}

/// One range of bytes (RFC 9110, section 14).
enum ByteRange: Hashable {
  case whole
  case part(Range<Int64>)
  case unsatisfiable

  /// Reads a `Range` field; what is malformed, or asks for several ranges, counts as none.
  ///
  /// - Parameters:
  ///   - text: As in `bytes=0-99`, `bytes=100-` or `bytes=-100`.
  ///   - size: Of the content.
  /// - Returns: What to send.
  static func read(_ text: String, of size: Int64) -> ByteRange {
    guard text.lowercased().hasPrefix("bytes="), !text.contains(",") else { return .whole }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return .whole }
    switch (number(ends[0]), number(ends[1])) {
    case (let first?, let last?):
      guard first <= last else { return .whole }
      return first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
    case (let first?, nil):
      return first < size ? .part(first..<size) : .unsatisfiable
    case (nil, let count?):
      return count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    case (nil, nil): return .whole
    }
  }

  /// The number that digits make, or the largest there is: no file reaches as far.
  private static func number(_ digits: Substring) -> Int64? {
    digits.isEmpty ? nil : Int64(digits) ?? .max
  }
}
