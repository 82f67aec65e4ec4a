/// What a request wants done (RFC 9110, section 9).
enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case delete = "DELETE"
  case options = "OPTIONS"
}
