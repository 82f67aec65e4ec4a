import Foundation
import TestSupport

/// `affix serve` as a process of its own, on a free port.
struct ServedAffix: Sendable {
  /// Why it does not serve.
  struct NotListening: Error, CustomStringConvertible {
    let description: String
  }

  let command: RunningCommand
  let port: UInt16

  var client: ServiceClient {
    ServiceClient(port: port)
  }

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - results: Where results are kept.
  ///   - temporary: Where files under way are kept.
  ///   - options: Besides those two and the port.
  ///   - variables: Of its environment, besides the usual ones.
  /// - Throws: Where it does not listen in time.
  init(
    results: TemporaryFolder,
    temporary: TemporaryFolder,
    _ options: [String] = [],
    environment variables: [String: String] = [:]
  ) async throws {
    var environment = CommandRun.plainEnvironment.merging(variables) { $1 }
    environment["TMPDIR"] = temporary.path
    command = try RunningCommand(
      CommandRun.affix,
      ["serve", "--listen", "127.0.0.1:0", "--results", results.path]
        + ["--allow-address", "127.0.0.1/32"] + options,
      environment: environment,
      deadline: .seconds(60)
    )
    guard await command.said("\"listening\"", within: .seconds(20)),
      let line = command.errorOutputSoFar.split(separator: "\n").first(where: {
        $0.contains("\"listening\"")
      }),
      let port = line.firstRange(of: "\"port\":").map({ line[$0.upperBound...] }),
      let number = UInt16(port.prefix { $0.isNumber })
    else { throw NotListening(description: command.errorOutputSoFar) }
    self.port = number
  }

  /// The lines of its log so far.
  var log: [[String: Any]] {
    command.errorOutputSoFar.split(separator: "\n").compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }
}

extension RawClient.Reply {
  /// The body as a JSON object.
  var object: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }
}
