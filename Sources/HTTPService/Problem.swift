/// Why a request is not met, as RFC 9457 has it said.
struct Problem: Error, Sendable {
  /// The closed set of reasons; `type` is built of them.
  enum Code: String, Sendable, CaseIterable {
    case malformedRequest = "malformed-request"
    case unauthorized
    case forbidden
    case invalidSignature = "invalid-signature"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notFinished = "not-finished"
    case preconditionFailed = "precondition-failed"
    case tooLarge = "body-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case unprocessable
    case rateLimited = "rate-limited"
    case queueFull = "queue-full"
    case clientGone = "client-gone"
    case internalFault = "internal-fault"
    case draining
    case storageUnavailable = "storage-unavailable"
  }

  let code: Code
  /// What is wrong with this request, in one line, without secrets.
  let detail: String
  /// When to come again, in seconds.
  var retryAfter: Int?
  /// Further header fields.
  var fields: [HTTPAnswer.Field] = []

  /// A reason with its explanation.
  init(_ code: Code, _ detail: String, retryAfter: Int? = nil) {
    self.code = code
    self.detail = detail
    self.retryAfter = retryAfter
  }

  /// The problem as an answer.
  var answer: HTTPAnswer {
    let node: JSONNode = [
      "type": .text(code.type), "title": .text(code.title), "status": .number(Int64(code.status)),
      "code": .text(code.rawValue), "detail": .text(detail),
    ]
    var answer = HTTPAnswer(code.status, "application/problem+json", node.bytes + [10])
    answer.fields += fields
    if let retryAfter { answer.set("Retry-After", String(retryAfter)) }
    if code == .unauthorized { answer.set("WWW-Authenticate", "Bearer realm=\"affix\"") }
    return answer
  }
}

extension Problem.Code {
  /// What identifies the kind of problem: an entry of the table of codes.
  var type: String {
    "/v1/codes#\(rawValue)"
  }

  /// The status that goes with it.
  var status: Int {
    switch self {
    case .malformedRequest: 400
    case .unauthorized: 401
    case .forbidden, .invalidSignature: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .notFinished: 409
    case .preconditionFailed: 412
    case .tooLarge: 413
    case .unsupportedMediaType: 415
    case .rangeNotSatisfiable: 416
    case .unprocessable: 422
    case .rateLimited, .queueFull: 429
    case .clientGone: 499
    case .internalFault: 500
    case .draining, .storageUnavailable: 503
    }
  }

  /// The kind of problem, in a few words that are always the same.
  var title: String {
    switch self {
    case .malformedRequest: "the request is malformed"
    case .unauthorized: "a token is needed"
    case .forbidden: "this caller may not do that"
    case .invalidSignature: "the signature is wrong or has expired"
    case .notFound: "there is no such thing"
    case .methodNotAllowed: "the method is not one of this resource"
    case .notFinished: "the job is not finished yet"
    case .preconditionFailed: "what is there is not what was asked for"
    case .tooLarge: "the body is too large"
    case .unsupportedMediaType: "the body's type is not one that is read here"
    case .rangeNotSatisfiable: "the range lies outside the content"
    case .unprocessable: "the request is understood, but cannot be met"
    case .rateLimited: "this caller asks too often"
    case .queueFull: "there is more work than can wait"
    case .clientGone: "the client closed the connection"
    case .internalFault: "a fault of the service"
    case .draining: "the service is about to stop"
    case .storageUnavailable: "results cannot be stored or read"
    }
  }
}
