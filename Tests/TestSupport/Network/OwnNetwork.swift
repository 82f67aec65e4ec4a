import Glibc
import Synchronization

/// A network of a test's own, from which nothing leads outside, with an origin and a name server.
///
/// It has a loopback interface and no other. Programs that run in it ask for names at 127.0.0.1 and
/// nowhere else. Nothing of the machine's is changed. It takes a superuser to make one, and lasts as
/// long as anybody is in it.
///
/// The C library keeps its addresses in the order of an answer, since none is nearer than another.
///
/// ```swift
/// let network = try OwnNetwork(names: ["a.test": [.addresses([OwnNetwork.originAddress])]])
/// let words = network.entrance + ["/bin/true"]
/// let run = try await CommandRun.of(words[0], Array(words.dropFirst()))
/// ```
public final class OwnNetwork: Sendable {
  /// Where the origin is.
  public static let originAddress = "127.0.0.5"
  /// Where a connection is noticed, at the origin's port.
  public static let trapAddress = "127.0.0.6"
  /// Where nobody listens.
  public static let unservedAddress = "127.0.0.4"
  /// A good place to drop packets.
  public static let deadAddress = "127.0.0.7"

  /// Serves files.
  public let origin: OriginServer
  /// Answers for names.
  public let names: NameServer
  private let trap: QuietPort
  private let blackHoles: [QuietPort]
  private let namespaces: (network: CInt, mounts: CInt)

  /// Makes a network.
  ///
  /// - Parameters:
  ///   - names: What its name server says.
  ///   - deadAddresses: Where packets are dropped, at the origin's port.
  /// - Throws: Where there can be no such network.
  public init(
    names: [String: [NameServer.Answer]] = [:],
    deadAddresses: [String] = []
  ) throws(OriginError) {
    let servers = try Self.start(names, deadAddresses)
    origin = servers.origin
    trap = servers.trap
    blackHoles = servers.blackHoles
    self.names = servers.names
    namespaces = servers.namespaces
  }

  deinit {
    origin.stop()
    close(namespaces.network)
    close(namespaces.mounts)
  }

  /// Why there can be no such network here; nothing where there can.
  public static let obstacle: OriginError? = {
    do throws(OriginError) {
      // Some machines have no IPv6.
      let network = try OwnNetwork(deadAddresses: ["::1"])
      return access(network.entrance[0], X_OK) == 0
        ? nil : OriginError(description: "there is no \(network.entrance[0])")
    } catch {
      return error
    }
  }()

  /// The words before a command that have it run in the network: a program and its arguments.
  public var entrance: [String] {
    let doors = [("net", namespaces.network), ("mount", namespaces.mounts)]
    return ["/usr/bin/nsenter", "--wd=."]
      + doors.map { "--\($0)=/proc/\(getpid())/fd/\($1)" }
  }

  /// Whether anybody connected to the trap since this was last asked.
  public var trapWasReached: Bool {
    trap.wasReached
  }

  private struct Servers: Sendable {
    let namespaces: (network: CInt, mounts: CInt)
    let origin: OriginServer
    let trap: QuietPort
    let blackHoles: [QuietPort]
    let names: NameServer
  }

  /// Starts the servers on a thread that enters the network and ends; their sockets stay in it.
  ///
  /// No task is awaited or woken there: the threads that run tasks are started by whoever wakes
  /// one, and would be in that network for good.
  private static func start(
    _ names: [String: [NameServer.Answer]],
    _ deadAddresses: [String]
  ) throws(OriginError) -> Servers {
    let outcome = Mutex<Result<Servers, OriginError>?>(nil)
    try JoinableThread {
      let result = Result { () throws(OriginError) in
        let namespaces = try OwnNamespaces.enter()
        let origin = try OriginServer(address: originAddress)
        var blackHoles: [QuietPort] = []
        for address in deadAddresses {
          blackHoles.append(try QuietPort(at: address, port: origin.port, unreachable: true))
        }
        return Servers(
          namespaces: namespaces,
          origin: origin,
          trap: try QuietPort(at: trapAddress, port: origin.port),
          blackHoles: blackHoles,
          names: try NameServer(names)
        )
      }
      outcome.withLock { $0 = result }
    }.join()
    guard let result = outcome.withLock(\.self) else {
      throw OriginError(description: "the thread of a network left nothing")
    }
    return try result.get()
  }
}
