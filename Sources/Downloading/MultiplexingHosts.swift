/// The origins that are known to speak HTTP/2, so that transfers can share a connection to them.
///
/// Waiting for a connection that is being made is right for these only: with HTTP/1.1 the second
/// transfer would wait a whole first byte for nothing.
struct MultiplexingHosts {
  private static let limit = 1_024
  private var origins: Set<RequestURL.Origin> = []

  /// Whether an origin is known to speak HTTP/2.
  func contains(_ origin: RequestURL.Origin) -> Bool {
    origins.contains(origin)
  }

  /// Takes note of an origin; the set is bounded, and begins anew when it is full.
  mutating func insert(_ origin: RequestURL.Origin) {
    if origins.count >= Self.limit { origins.removeAll() }
    origins.insert(origin)
  }
}
