/// Splits the time of one hop among its phases, so that they add up to it exactly.
///
/// libcurl reports when each phase ended, counted from the hop's start, and zero for what did not
/// end; the time of a phase that was cut short is what was left when the hop ended.
package struct PhaseTimes {
  package private(set) var nameLookup: Duration = .zero
  package private(set) var connect: Duration = .zero
  package private(set) var tls: Duration = .zero
  package private(set) var firstByte: Duration = .zero
  package private(set) var body: Duration = .zero

  /// Ends of phases, counted from the hop's start; zero for what did not end.
  package struct Marks {
    package var nameLookup: Duration = .zero
    package var connect: Duration = .zero
    package var tls: Duration = .zero
    /// The request was about to be sent: connection and TLS are done.
    package var ready: Duration = .zero
    package var firstByte: Duration = .zero

    package init() {}
  }

  package init(_ marks: Marks, elapsed: Duration, usesTLS: Bool) {
    var done = Duration.zero
    func share(until mark: Duration) -> Duration {
      let end = min(max(mark, done), elapsed)
      defer { done = end }
      return end - done
    }
    let reachedRequest = marks.ready > .zero
    nameLookup = share(
      until: marks.nameLookup > .zero || reachedRequest ? marks.nameLookup : elapsed
    )
    connect = share(until: marks.connect > .zero || reachedRequest ? marks.connect : elapsed)
    if usesTLS {
      tls = share(until: reachedRequest ? max(marks.tls, marks.ready) : elapsed)
    }
    firstByte = share(until: marks.firstByte > .zero ? marks.firstByte : elapsed)
    body = share(until: elapsed)
  }
}
