import Cryptography
import Pipeline
import TimeBudgets

/// `/v1/attachments/{id}`: the report, the file and the previews of an earlier check.
enum ResultRoutes {
  static let all = [report, content, preview, previewAt, remove]

  private static let report = Route(
    method: .get,
    path: "/v1/attachments/{id}",
    demand: .token,
    operation: Operation(
      "getReport",
      "Get the report of an earlier check",
      "A job that was interrupted by the end of its process says so: its verdict is unobtainable, "
        + "with the code interrupted. A finished report has an ETag; If-None-Match is honoured.",
      parameters: [.id],
      answers: [
        .report(200, "The report."),
        .object(202, "The job is not finished yet.", "Job", ["Retry-After"]),
        Operation.Answer(status: 304, description: "It has not changed.", content: nil),
      ],
      problems: [.notFound, .preconditionFailed]
    ),
    action: .later { request, rooms async throws(Problem) in
      let id = try identifier(request)
      switch await rooms.shelf.standing(of: id, among: rooms.jobs) {
      case .finished(let report)?:
        let tag = entityTag(of: report)
        let outcome = RequestConditions(request.head).outcome(for: tag)
        if case .failed = outcome { throw RequestConditions.failed }
        var answer = HTTPAnswer(200, "application/json", report + [10])
        if case .notModified = outcome { answer = HTTPAnswer(304) }
        answer.set("ETag", tag)
        // It never changes, but it may be deleted, and expires.
        answer.set("Cache-Control", "private, no-cache")
        return answer
      case .promised(let source)?:
        var answer = HTTPAnswer(202, json: AttachmentRoutes.job(id, source: source))
        answer.set("Retry-After", "1")
        answer.set("Cache-Control", "no-store")
        return answer
      case .interrupted(let source)?:
        let error = CheckError(
          code: "interrupted",
          message: "the service was stopped before the check was done; ask again"
        )
        return unobtainable(id, source, error)
      case .lost(let source)?:
        let error = CheckError(
          code: "storage-full",
          message: "the report could not be stored; ask again"
        )
        return unobtainable(id, source, error)
      case nil: throw missing
      }
    }
  )

  private static let content = Route(
    method: .get,
    path: "/v1/attachments/{id}/content",
    demand: .tokenOrSignature,
    operation: Operation.file("getContent", "Get the file that was checked", [.id]),
    action: .later { request, rooms async throws(Problem) in
      try await serve(request, rooms, preview: nil)
    }
  )

  private static let preview = Route(
    method: .get,
    path: "/v1/attachments/{id}/preview",
    demand: .tokenOrSignature,
    operation: Operation.file("getPreview", "Get the first preview", [.id]),
    action: .later { request, rooms async throws(Problem) in
      try await serve(request, rooms, preview: 0)
    }
  )

  private static let previewAt = Route(
    method: .get,
    path: "/v1/attachments/{id}/previews/{index}",
    demand: .tokenOrSignature,
    operation: Operation.file(
      "getPreviewAt",
      "Get one of several previews",
      [.id, .previewIndex]
    ),
    action: .later { request, rooms async throws(Problem) in
      guard let index = request.parameters["index"].flatMap({ Int($0) }), (0..<8).contains(index)
      else { throw missing }
      return try await serve(request, rooms, preview: index)
    }
  )

  private static let remove = Route(
    method: .delete,
    path: "/v1/attachments/{id}",
    demand: .token,
    operation: Operation(
      "deleteResult",
      "Delete a report with its file and previews",
      "A job that is not finished is cancelled. If-Match with the report's ETag is honoured.",
      parameters: [.id],
      answers: [.nothing(204, "It is gone.")],
      problems: [.notFound, .preconditionFailed]
    ),
    action: .later { request, rooms async throws(Problem) in
      let id = try identifier(request)
      guard let standing = await rooms.shelf.standing(of: id, among: rooms.jobs) else {
        throw missing
      }
      let tag: String? =
        if case .finished(let report) = standing { entityTag(of: report) } else { nil }
      if case .failed = RequestConditions(request.head).outcome(for: tag) {
        throw RequestConditions.failed
      }
      rooms.jobs.delete(id)
      // It was there: who has taken it away meanwhile, such as its job, did what was asked for.
      await rooms.shelf.remove(id)
      return HTTPAnswer(204)
    }
  )

  private static let missing = Problem(
    .notFound,
    "there is no result of this name; it may have expired (--results-lifetime), or made room for "
      + "others (--results-bytes)"
  )

  private static func entityTag(of report: [UInt8]) -> String {
    let hasher = SHA256Hasher()
    hasher.update(report)
    return "\"\(hasher.finalize().hexadecimal)\""
  }

  private static func identifier(_ request: ServiceRequest) throws(Problem) -> String {
    guard let id = request.parameters["id"], (1...64).contains(id.utf8.count),
      id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
    else { throw missing }
    return id
  }

  private static func serve(
    _ request: ServiceRequest,
    _ rooms: ServiceRooms,
    preview: Int?
  ) async throws(Problem) -> HTTPAnswer {
    let id = try identifier(request)
    guard let content = await rooms.shelf.content(of: id, preview: preview) else {
      switch await rooms.shelf.standing(of: id, among: rooms.jobs) {
      case .promised:
        throw Problem(.notFinished, "the job is not finished yet; ask again in 1 s", retryAfter: 1)
      case .finished:
        throw Problem(.notFound, "there is no such file of this result; its report links what is")
      default:
        throw missing
      }
    }
    return try FileAnswer(content, isPublic: request.caller.signedUntil != nil)
      .answer(to: request.head)
  }

  /// What is said of a job that came to nothing.
  private static func unobtainable(
    _ id: String,
    _ source: String,
    _ error: CheckError
  ) -> HTTPAnswer {
    let report = AttachmentReport(unobtainable: source, because: error, allowance: .zero)
    let fields: [JSONNode.Field] = [
      .init(name: "id", value: .text(id)),
      .init(name: "links", value: ["report": .text("/v1/attachments/\(id)")]),
    ]
    let json = ResultLinks.splice(fields, into: report.jsonLine())
    var answer = HTTPAnswer(200, "application/json", json + [10])
    answer.set("Cache-Control", "no-store")
    return answer
  }
}
