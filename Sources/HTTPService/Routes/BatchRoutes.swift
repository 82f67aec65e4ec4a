import AttachmentModel
import Glibc
import Pipeline

/// `POST /v1/batches`: many requests in, their reports out as they are finished.
enum BatchRoutes {
  static let all = [check]

  private static let check = Route(
    method: .post,
    path: "/v1/batches",
    demand: .token,
    body: .batch,
    worksWhileDraining: false,
    operation: Operation(
      "checkBatch",
      "Check many attachments",
      "A JSON request a line, as of checkAttachment; a report a line, as each is finished, with the "
        + "number of its request as 'line'. The budget of each begins with its turn. A line that "
        + "cannot be read is answered with a problem, under its number.",
      body: .batch,
      answers: [.text(200, "Reports, a line each.", "application/x-ndjson")],
      problems: [.malformedRequest, .tooLarge, .unsupportedMediaType, .storageUnavailable]
        + [.draining]
    ),
    action: .later { request, rooms async throws(Problem) in
      guard case .file(let file) = request.body else {
        throw Problem(.malformedRequest, "there is no body; send a JSON request a line")
      }
      let run = BatchRun(file, rooms)
      var answer = HTTPAnswer(200, "application/x-ndjson", [])
      answer.body = .stream(run.start())
      answer.set("Cache-Control", "no-store")
      return answer
    }
  )
}
