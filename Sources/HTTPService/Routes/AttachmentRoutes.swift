import AttachmentModel
import Pipeline
import PolicyChecking
import TimeBudgets

/// `POST /v1/attachments`: checks an address, or bytes that are sent along.
enum AttachmentRoutes {
  static let all = [check]

  private static let check = Route(
    method: .post,
    path: "/v1/attachments",
    demand: .token,
    body: .attachment,
    worksWhileDraining: false,
    operation: Operation(
      "checkAttachment",
      "Check an attachment",
      "Checks what an address leads to (a JSON request), or the bytes of the body (any media type "
        + "but JSON; options are then in the query). The budget begins with the request. A rejected "
        + "or unobtainable attachment is a 200: the report says so. With 'Prefer: respond-async' "
        + "the answer is a 202 at once, and the report is found at its Location later.",
      parameters: Operation.uploadParameters,
      body: .attachment,
      answers: [
        .report(200, "The report."),
        .object(202, "A job; the report will be found at its Location.", "Job", ["Location"]),
      ],
      problems: [.malformedRequest, .tooLarge, .unsupportedMediaType, .unprocessable, .queueFull]
        + [.storageUnavailable, .draining]
    ),
    action: .later { request, rooms async throws(Problem) in
      var (order, subject) = try read(request, rooms)
      if request.wantsJob { return try await accept(order, subject, rooms) }
      order.terms.start = request.head.arrival
      let finding = try await rooms.desk.perform(
        order,
        on: subject,
        as: CheckDesk.makeIdentifier(),
        .prompt
      )
      var answer = HTTPAnswer(200, "application/json", finding.json + [10])
      answer.set("Cache-Control", "no-store")
      return answer
    }
  )

  private static func read(
    _ request: ServiceRequest,
    _ rooms: ServiceRooms
  ) throws(Problem) -> (CheckOrder, CheckDesk.Subject) {
    switch request.body {
    case .bytes(let bytes):
      return (try rooms.orders.order(parsing: bytes, query: request.target.query), .address)
    case .file(let file):
      do throws(Problem) {
        let order = try rooms.orders.order(upload: request)
        return (order, .upload(file))
      } catch {
        rooms.pipeline.discard(file)
        throw error
      }
    case .none:
      throw Problem(.malformedRequest, "there is no body; send a JSON request, or an attachment")
    }
  }

  /// Promises a report: once the promise is written down, not even a crash breaks it silently.
  private static func accept(
    _ order: CheckOrder,
    _ subject: CheckDesk.Subject,
    _ rooms: ServiceRooms
  ) async throws(Problem) -> HTTPAnswer {
    let id = CheckDesk.makeIdentifier()
    func refuse(_ problem: Problem) -> Problem {
      if case .upload(let file) = subject { rooms.pipeline.discard(file) }
      return problem
    }
    guard rooms.jobs.reserve(id) else {
      throw refuse(rooms.isDraining() ? HTTPService.draining : jobsFull(rooms))
    }
    guard await rooms.shelf.promise(id, source: order.reference.source) else {
      rooms.jobs.release(id)
      throw refuse(
        Problem(
          .storageUnavailable,
          "the job cannot be written down where results are kept (--results); come again once there "
            + "is room",
          retryAfter: 5
        )
      )
    }
    rooms.jobs.start(id, storingOn: rooms.shelf) {
      do throws(Problem) {
        _ = try await rooms.desk.perform(order, on: subject, as: id, .patient)
        rooms.metrics.jobEnded("finished")
      } catch {
        // Cancelled: by who deleted it, who gets nothing, or by the end of the process, after which
        // the promise stands as interrupted.
        rooms.metrics.jobEnded("cancelled")
      }
    }
    let path = "/v1/attachments/\(id)"
    var answer = HTTPAnswer(202, json: job(id, source: order.reference.source))
    answer.set("Location", path)
    answer.set("Preference-Applied", "respond-async")
    answer.set("Retry-After", "1")
    return answer
  }

  private static func jobsFull(_ rooms: ServiceRooms) -> Problem {
    let seconds = rooms.desk.secondsToNextTurn
    return Problem(
      .queueFull,
      "\(rooms.jobs.limit) jobs are not finished, which is as many as may be (--max-jobs); come again "
        + "in \(seconds) s",
      retryAfter: seconds
    )
  }

  /// What is said of a job that is not finished.
  static func job(_ id: String, source: String) -> JSONNode {
    [
      "id": .text(id), "status": "pending", "source": .text(source),
      "links": ["report": .text("/v1/attachments/\(id)")],
    ]
  }
}

extension HTTPService.Configuration {
  /// Reads requests in the light of this configuration and the pipeline's.
  func orders(over pipeline: AttachmentPipeline) -> OrderReader {
    var defaults = pipeline.terms
    // A request that says nothing may not take longer than one that asks for the most.
    defaults.allowance = min(defaults.allowance, limits.longestBudget)
    return OrderReader(
      defaults: defaults,
      policies: Dictionary(
        knownPolicies.map { ($0.name, $0) },
        uniquingKeysWith: { $1 }
      ),
      longestBudget: limits.longestBudget
    )
  }
}
