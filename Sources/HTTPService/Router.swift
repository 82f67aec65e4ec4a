import AttachmentModel
import Cryptography
import Downloading
import Observability
import Pipeline
import TimeBudgets

/// Decides about each request once its head is there: where it leads, whether it may go there, and
/// what its body may be.
struct Router: Sendable {
  private let rooms: ServiceRooms
  private let access: AccessRules
  private let rate: RateLimit

  /// The longest JSON request.
  private static let longestRequest = 64 << 10
  /// How long a body may take to arrive, where no budget says less.
  private static let patience: Duration = .seconds(60)
  /// How long the body of a batch may take.
  private static let batchPatience: Duration = .seconds(600)

  init(_ rooms: ServiceRooms) {
    self.rooms = rooms
    let configuration = rooms.configuration
    access = AccessRules(
      tokens: configuration.tokens,
      signer: configuration.signer,
      isLocal: ListeningSocket.isLoopback(configuration.address),
      origins: configuration.origins
    )
    rate = RateLimit(perSecond: configuration.limits.rate)
  }

  /// What is to become of a request.
  func receive(_ head: RequestHead) -> Reception {
    rooms.metrics.began()
    let id = Self.identifier(of: head)
    let origin = head["origin"].flatMap { access.origins.contains($0) ? $0 : nil }
    let finish = Finish(requestID: id, origin: origin, isHead: head.method == .head)
    let record = RequestRecord(rooms, head, id: id)
    do throws(Problem) {
      guard head.namesOneHost, head.inOriginForm.namesOneHost else {
        throw Problem(.malformedRequest, "send one 'Host', with a name or an address and its port")
      }
      return try receive(head.inOriginForm, id: id, finish, record)
    } catch {
      return Self.settled(finish(error.answer), record)
    }
  }

  private func receive(
    _ head: RequestHead,
    id: String,
    _ finish: Finish,
    _ record: RequestRecord
  ) throws(Problem) -> Reception {
    guard head.isSoundlyFramed else {
      throw Problem(
        .malformedRequest,
        "the body's end is not clear; send one Content-Length, or Transfer-Encoding: chunked"
      )
    }
    guard let target = RequestTarget(head.targetText) else {
      throw Problem(
        .malformedRequest,
        "the request's target cannot be read; send a path that begins with '/', of at most "
          + "\(RequestTarget.longest) bytes, in percent-encoded UTF-8 and without '.' or '..'"
      )
    }
    let route: Route
    let parameters: [String: String]
    switch RouteTable.match(target.segments, head.method) {
    case .found(let found, let values): (route, parameters) = (found, values)
    case .otherMethods(let methods):
      let names = methods.map(\.rawValue).joined(separator: ", ")
      if head.method == .options { return preflight(head, methods: names, finish, record) }
      var problem = Problem(.methodNotAllowed, "this resource has the methods \(names)")
      problem.fields = [.init(name: "Allow", value: names)]
      throw problem
    case .nothing:
      throw Problem(
        .notFound,
        "there is no resource at this path; GET /openapi.json tells which there are"
      )
    }
    record.route(route.path)
    let caller = try access.admit(head, target, route.demand)
    record.caller(caller.name)
    if route.demand != .nothing,
      let seconds = rate.wait(for: caller.name, at: Stopwatch.system.now)
    {
      throw Problem(
        .rateLimited,
        "this caller asks more than \(rate.perSecond) times a second (--max-rate); come again in "
          + "\(seconds) s",
        retryAfter: seconds
      )
    }
    if !route.worksWhileDraining, rooms.isDraining() { throw HTTPService.draining }
    let request = ServiceRequest(
      id: id,
      head: head,
      target: target,
      parameters: parameters,
      caller: caller
    )
    return try reception(of: request, on: route, finish, record)
  }

  private func reception(
    of request: ServiceRequest,
    on route: Route,
    _ finish: Finish,
    _ record: RequestRecord
  ) throws(Problem) -> Reception {
    if route.hasBody { try Self.refuseCodings(of: request.head) }
    let (place, limit, remedy) = try place(of: request, on: route)
    let tooLarge = Problem(.tooLarge, "the body has more than \(limit) bytes, \(remedy)")
    // A body where there is to be none is passed over, as RFC 9110 has it for GET.
    if route.hasBody, let length = request.head.contentLength, length > limit { throw tooLarge }
    if case .attachment = route.body, rooms.desk.isFull, !request.wantsJob {
      throw rooms.desk.queueFull
    }
    var patience = Self.patience
    if case .batch = route.body { patience = Self.batchPatience }
    // Who states a budget has its upload charged, too.
    if let budget = request.query("budget_ms").flatMap({ Int64($0) }) {
      patience = min(patience, .milliseconds(max(1_000, budget)))
    }
    let rooms = rooms
    return Reception(
      place: place,
      limit: limit,
      deadline: request.head.arrival + patience,
      response: Self.response(request, route, rooms, finish),
      tooLarge: finish(tooLarge.answer),
      unstorable: { error in
        let problem = Problem(
          .storageUnavailable,
          "\(error.message); come again once there is room (--quota and --results-bytes bound what the "
            + "service takes)",
          retryAfter: 5
        )
        return finish(problem.answer)
      },
      ended: record.ended
    )
  }

  /// What is coded is no attachment yet, and decoding it would be the one way to send more than the
  /// limit in fewer bytes (RFC 9110, section 8.4, has 415 for it).
  private static func refuseCodings(of head: RequestHead) throws(Problem) {
    let codings = head.list("content-encoding").filter { !$0.isEmpty }
    guard let coding = codings.first(where: { $0.lowercased() != "identity" }) else { return }
    var problem = Problem(
      .unsupportedMediaType,
      "the body comes in the coding '\(coding.beginning(64))', and codings are not undone here; send it "
        + "as it is"
    )
    problem.fields = [.init(name: "Accept-Encoding", value: "identity")]
    throw problem
  }

  private func place(
    of request: ServiceRequest,
    on route: Route
  ) throws(Problem) -> (Reception.BodyPlace, limit: Int, remedy: String) {
    let pipeline = rooms.pipeline
    let file = Reception.BodyPlace.file { () throws(DownloadError) in try pipeline.makeUpload() }
    let limits = rooms.configuration.limits
    let type = request.head.contentType
    switch route.body {
    case .none: return (.nowhere, 0, "and there is to be none")
    case .attachment:
      if type == "application/json" {
        return (
          .memory, Self.longestRequest,
          "the most of a JSON request; send an attachment's bytes under their own media type"
        )
      }
      guard let type, !type.isEmpty, !type.hasPrefix("multipart/"),
        type != "application/x-www-form-urlencoded"
      else {
        throw Problem(
          .unsupportedMediaType,
          "\(Self.named(type)); send a JSON request as application/json, or an attachment's bytes as its "
            + "own media type or application/octet-stream; forms are not read"
        )
      }
      return (
        file, Int(clamping: limits.body.bytes),
        "the most of an upload (--max-body); send a smaller file, or its address"
      )
    case .batch:
      guard type == "application/x-ndjson" || type == "application/jsonl" else {
        throw Problem(
          .unsupportedMediaType,
          "\(Self.named(type)); send a JSON request a line as application/x-ndjson"
        )
      }
      return (
        file, Int(clamping: limits.batch.bytes),
        "the most of a batch (--max-batch); send it in several"
      )
    }
  }

  /// Which type a body claims: clients send one that nobody asked them for.
  private static func named(_ type: String?) -> String {
    type.map { "the body comes as '\($0.beginning(64))'" }
      ?? "the body comes without a Content-Type"
  }

  private static func response(
    _ request: ServiceRequest,
    _ route: Route,
    _ rooms: ServiceRooms,
    _ finish: Finish
  ) -> Reception.Response {
    switch route.action {
    case .now(let act):
      return .now { _ in
        do throws(Problem) {
          return finish(try act(request, rooms))
        } catch {
          return finish(error.answer)
        }
      }
    case .later(let act):
      return .later { body in
        var request = request
        request.body = body
        do throws(Problem) {
          return finish(try await act(request, rooms))
        } catch {
          return finish(error.answer)
        }
      }
    }
  }

  private func preflight(
    _ head: RequestHead,
    methods: String,
    _ finish: Finish,
    _ record: RequestRecord
  ) -> Reception {
    var answer = HTTPAnswer(204)
    answer.set("Allow", methods)
    if finish.origin != nil {
      answer.set("Access-Control-Allow-Methods", methods)
      answer.set("Access-Control-Allow-Headers", "Authorization, Content-Type, Prefer")
      answer.set("Access-Control-Max-Age", "600")
    }
    return Self.settled(finish(answer), record)
  }

  /// An answer that no body changes.
  private static func settled(_ answer: HTTPAnswer, _ record: RequestRecord) -> Reception {
    Reception(
      deadline: Stopwatch.system.now + .seconds(10),
      response: .settled(answer),
      tooLarge: answer,
      unstorable: { _ in answer },
      ended: record.ended
    )
  }

  /// The caller's own name for a request, where it is one that logs can take; else a new one.
  private static func identifier(of head: RequestHead) -> String {
    if let given = head["x-request-id"], (1...128).contains(given.utf8.count),
      given.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
      })
    {
      return given
    }
    return RandomName.make()
  }
}

extension ServiceRequest {
  /// Whether the caller would rather have a job to ask for later (RFC 7240).
  var wantsJob: Bool {
    head.list("prefer").contains { $0.lowercased() == "respond-async" }
  }
}

/// What every answer gets before it is sent.
struct Finish: Sendable {
  let requestID: String
  /// The origin whose pages may read the answer, if any.
  let origin: String?
  let isHead: Bool

  /// The answer with the fields that all have.
  func callAsFunction(_ answer: HTTPAnswer) -> HTTPAnswer {
    var answer = answer
    answer.set("X-Request-ID", requestID)
    answer.set("X-Content-Type-Options", "nosniff")
    answer.set("Referrer-Policy", "no-referrer")
    answer.set("Cross-Origin-Resource-Policy", "cross-origin")
    if !answer.fields.contains(where: { $0.name == "Content-Security-Policy" }) {
      answer.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    }
    if !answer.fields.contains(where: { $0.name == "Cache-Control" }) {
      answer.set("Cache-Control", "no-store")
    }
    if let origin {
      answer.set("Access-Control-Allow-Origin", origin)
      answer.set("Access-Control-Expose-Headers", "ETag, Location, Retry-After, X-Request-ID")
      answer.set("Vary", "Origin")
    }
    return answer
  }
}
