import Downloading

/// What is fetched in the soak: good files, and every tenth time a fault, each kind in turn.
struct SoakSources: Sendable {
  /// An address, and the answers that are right for it.
  struct Source: Sendable {
    let address: String
    /// The codes one of which must come; none where the whole file must.
    let codes: Set<DownloadError.Code>
  }

  let good: [String]
  private let faults: [Source]

  init(good: [String], faulty: String, refusedPort: Int) {
    self.good = good
    faults = [
      Source(address: faulty + "/cut/20000", codes: [.incompleteBody]),
      Source(address: faulty + "/stall/20000", codes: [.stalled]),
      Source(address: faulty + "/missing", codes: [.httpStatus]),
      Source(address: "http://127.0.0.1:\(refusedPort)/", codes: [.connectionRefused]),
      // The reset may overtake the head.
      Source(address: faulty + "/reset/20000", codes: [.incompleteBody, .protocolError]),
      Source(address: faulty + "/loop/1", codes: [.tooManyRedirects]),
    ]
  }

  subscript(index: Int) -> Source {
    index % 10 == 9
      ? faults[index / 10 % faults.count]
      : Source(address: good[index % good.count], codes: [])
  }
}
