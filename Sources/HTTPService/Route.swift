import AttachmentModel
import Downloading

/// One operation of the service: what it is asked by, who may ask, what it does, and what the
/// OpenAPI document says about it.
struct Route: Sendable {
  /// What a body may be.
  enum BodyRule: Sendable {
    /// There is none.
    case none
    /// A JSON request, or the bytes of an attachment.
    case attachment
    /// Lines of JSON requests.
    case batch
  }

  /// How it is done.
  enum Action: Sendable {
    /// At once, on the connection's thread.
    case now(@Sendable (ServiceRequest, ServiceRooms) throws(Problem) -> HTTPAnswer)
    /// In a task, which is cancelled where the client goes away.
    case later(@Sendable (ServiceRequest, ServiceRooms) async throws(Problem) -> HTTPAnswer)
  }

  let method: HTTPMethod
  /// The path, with names in braces, as in `/v1/attachments/{id}`.
  let path: String
  let demand: AccessRules.Demand
  var body = BodyRule.none
  /// Whether it goes on while the service drains.
  var worksWhileDraining = true
  let operation: Operation
  let action: Action

  /// Whether a body is read.
  var hasBody: Bool {
    if case .none = body { false } else { true }
  }
}

/// A request that has found its route, and was let in.
struct ServiceRequest: Sendable {
  /// What logs and answers call this request.
  let id: String
  let head: RequestHead
  let target: RequestTarget
  /// The values of the path's names.
  let parameters: [String: String]
  let caller: AccessRules.Caller
  var body = ReceivedBody.none

  /// The first value of a field of the query.
  func query(_ name: String) -> String? {
    target.query.first { $0.name == name }?.value
  }
}
