import Downloading

/// One deadline, and an origin that lets it pass.
struct DeadlineCase: Sendable {
  let name: String
  let address: String
  /// How long the transfer should take; nothing for a cancellation, which is to take none.
  let expected: Duration
  let code: DownloadError.Code
  var configuration = {
    var configuration = Downloader.Configuration()
    configuration.retries = 0
    return configuration
  }()
  var budget: Duration = .seconds(30)
  /// When the task is cancelled, if that is what is measured.
  var cancelAfter: Duration?

  /// Every deadline, and a cancellation in every phase.
  ///
  /// - Parameters:
  ///   - origin: The misbehaving origin, without a slash at its end.
  ///   - silentPort: A port of 127.0.0.1 that does not answer a connection request.
  ///   - deadline: How long each deadline is.
  /// - Returns: The cases, in the order in which they are printed.
  static func all(origin: String, silentPort: Int, deadline: Duration) -> [DeadlineCase] {
    let silent = "http://127.0.0.1:\(silentPort)/"
    // The origin speaks no TLS: it takes the client's greeting for half a request and waits.
    let halfway = origin.replacing("http://", with: "https://") + "/never"
    let never = origin + "/never"
    // 500 bytes each 20 ms: far above the stall rate, and without end.
    let steady = origin + "/drip/500/20"
    // 30 bytes each 50 ms: below the stall rate.
    let slow = origin + "/drip/30/50"

    let timed: [DeadlineCase] = [
      expiring("connect", silent, deadline, .connectTimedOut) { $0.connectTimeout = deadline },
      expiring("connect-tls", halfway, deadline, .connectTimedOut) { $0.connectTimeout = deadline },
      expiring("first-byte", never, deadline, .timedOut) { $0.firstByteTimeout = deadline },
      expiring("stall", origin + "/stall/20000", deadline, .stalled) { $0.stallTimeout = deadline },
      expiring("stall-drip", slow, deadline, .stalled) { $0.stallTimeout = deadline },
      expiring("attempt", steady, deadline, .timedOut) { $0.timeout = deadline },
      expiring("attempt-waiting", never, deadline, .timedOut) { $0.timeout = deadline },
    ]
    let budgets = [("budget", steady), ("budget-connecting", silent), ("budget-waiting", never)].map
    {
      var it = expiring($0.0, $0.1, deadline, .budgetSpent) { _ in }
      it.budget = deadline
      return it
    }
    let cancellations = [
      ("cancel-connecting", silent), ("cancel-waiting", never), ("cancel-receiving", steady),
    ].map {
      var it = expiring($0.0, $0.1, .zero, .cancelled) { _ in }
      it.cancelAfter = .milliseconds(100)
      return it
    }
    return timed + budgets + cancellations
  }

  private static func expiring(
    _ name: String,
    _ address: String,
    _ expected: Duration,
    _ code: DownloadError.Code,
    _ configure: (inout Downloader.Configuration) -> Void
  ) -> DeadlineCase {
    var it = DeadlineCase(name: name, address: address, expected: expected, code: code)
    it.configuration.addresses = AddressPolicy(allowsPrivateAddresses: true)
    configure(&it.configuration)
    return it
  }
}
