/// Every route: the one list behind routing, `Allow`, metrics and the OpenAPI document.
enum RouteTable {
  /// In the order of the OpenAPI document.
  static let all: [Route] =
    AttachmentRoutes.all + ResultRoutes.all + BatchRoutes.all + TableRoutes.all
    + OperationRoutes.all

  private static let patterns = all.map { PathPattern($0.path) }

  /// What a path and a method lead to.
  enum Match: Sendable {
    case found(Route, [String: String])
    /// The path is there, with other methods.
    case otherMethods([HTTPMethod])
    case nothing
  }

  /// Finds a route; whatever can be got has a head, too (RFC 9110, section 9.3.2).
  ///
  /// - Parameters:
  ///   - segments: Of the path.
  ///   - method: As asked for; nothing for one that is unknown here.
  /// - Returns: The route with the values of its path's names.
  static func match(_ segments: [String], _ method: HTTPMethod?) -> Match {
    let candidates = patterns.indices.filter { patterns[$0].fits(segments) }
    guard !candidates.isEmpty else { return .nothing }
    let wanted = method == .head ? .get : method
    if let found = candidates.first(where: { all[$0].method == wanted }) {
      return .found(all[found], patterns[found].parameters(of: segments))
    }
    let methods = candidates.map { all[$0].method }
    return .otherMethods(methods + (methods.contains(.get) ? [.head] : []) + [.options])
  }
}
