/// Where a request states a term, so that messages name it as it is written there.
enum OrderPlace: Sendable {
  /// In the JSON object.
  case body
  /// In the address.
  case query

  /// What a term is called.
  ///
  /// - Parameter path: As in JSON, as `preview.size`.
  /// - Returns: `'preview.size'`, or `query parameter 'preview_size'`.
  func name(_ path: String) -> String {
    switch self {
    case .body: "'\(path)'"
    case .query: "query parameter '\(path.replacing(".", with: "_"))'"
    }
  }

  /// A frame of a preview, as it is written.
  var frame: String {
    switch self {
    case .body: "\"1440x720\""
    case .query: "1440x720"
    }
  }

  /// How several policies are named.
  var policyList: String {
    switch self {
    case .body: "a name, or a list of 1 to 16 names"
    case .query: "1 to 16 names, separated by commas"
    }
  }
}
