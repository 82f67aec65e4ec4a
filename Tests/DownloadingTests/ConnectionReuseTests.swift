import AttachmentModel
import Downloading
import Foundation
import Glibc
import TestSupport
import Testing
import TimeBudgets

/// A connection that was kept brings what is asked for next, and nothing that came before that.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionReuseTests {
  private static let forged = Array(
    "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 6\r\n\r\nforged".utf8
  )

  private func downloader(
    _ folder: TemporaryFolder,
    trusting authority: String? = nil
  ) throws -> Downloader {
    var configuration = Downloader.Configuration()
    configuration.retries = 0
    configuration.perHost = 16
    configuration.stallTimeout = .milliseconds(500)
    configuration.certificateAuthorities = authority
    configuration.addresses = AddressPolicy(allowsPrivateAddresses: true)
    return try Downloader(configuration, into: AttachmentDirectory(in: folder.path))
  }

  private func fetch(_ url: String, with downloader: Downloader) async throws -> [UInt8] {
    let download = try await downloader.download(
      in: try await downloader.slot(for: url),
      within: TimeBudget(.seconds(20)),
      screening: ScreeningRules(sizeLimit: .megabytes(1))
    )
    guard case .completed(let file?) = download.ending else { return [] }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
  }

  /// Fetches three addresses of an origin one after the other, and the first once more; what the
  /// first answer leaves behind has time to arrive.
  private func visit(
    leaving excess: [UInt8]
  ) async throws -> (bodies: [[UInt8]], connections: [Int]) {
    let folder = try TemporaryFolder()
    let origin = try OriginServer()
    defer { origin.stop() }
    let elsewhere = try OriginServer()
    defer { elsewhere.stop() }
    let downloader = try downloader(folder)
    let urls = [
      origin.url(.overflowing([1, 1], with: excess), named: "a.jpg"),
      elsewhere.url(.body([0], delay: .milliseconds(100)), named: "pause.jpg"),
      origin.url(.overflowing([2, 2]), named: "b.jpg"),
      origin.url(.overflowing([3, 3]), named: "c.jpg"),
    ]
    var bodies: [[UInt8]] = []
    for url in urls { bodies.append(try await fetch(url, with: downloader)) }
    await downloader.stop()
    return (bodies, origin.requests.map(\.connection))
  }

  @Test func `an orderly connection is used again`() async throws {
    let (bodies, connections) = try await visit(leaving: [])
    #expect(bodies == [[1, 1], [0], [2, 2], [3, 3]])
    #expect(connections == [1, 1, 1])
  }

  @Test(arguments: [Self.forged, Array("x".utf8), [0, 255, 13, 10], Array("HTTP/1.1 ".utf8)])
  func `what nobody asked for is nobody's answer`(excess: [UInt8]) async throws {
    let (bodies, connections) = try await visit(leaving: excess)
    #expect(bodies == [[1, 1], [0], [2, 2], [3, 3]])
    #expect(connections == [1, 2, 2])
  }

  /// Answers over TLS, one connection at a time, with the number of the connection; head and body
  /// are a record each, and the first body's one goes on with an excess.
  private static let recordOrigin = """
    import signal, socket, ssl, sys
    signal.alarm(60)
    folder, excess = sys.argv[1], bytes.fromhex(sys.argv[2])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/good.pem", folder + "/good.key.pem")
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    for number in range(1, 9):
        with context.wrap_socket(listener.accept()[0], server_side=True) as client:
            while client.recv(65536):
                client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\n")
                client.sendall(bytes([number]) + excess)
                excess = b""
    """

  /// A record of TLS is decrypted as a whole: what is behind the body's end waits in libssl, and the
  /// socket has nothing more to read.
  @Test(
    .enabled(if: access("/usr/bin/python3", X_OK) == 0),
    arguments: [([], [1, 1, 1]), (Self.forged, [1, 2, 2])]
  )
  func `what a record of TLS brings besides is nobody's answer`(
    excess: [UInt8],
    connections: [UInt8]
  ) async throws {
    let folder = try TemporaryFolder()
    let certificates = "\(Fixture.projectFolder)/Tests/TestSupport/Certificates"
    let origin = Process()
    let output = Pipe()
    origin.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let digits = excess.map { String(format: "%02x", $0) }.joined()
    origin.arguments = ["-c", Self.recordOrigin, certificates, digits]
    origin.standardOutput = output
    try origin.run()
    defer { kill(origin.processIdentifier, SIGKILL) }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(UInt16(line.trimmingCharacters(in: .newlines)))
    let downloader = try downloader(folder, trusting: "\(certificates)/authority.pem")
    var bodies: [[UInt8]] = []
    for name in ["a", "b", "c"] {
      bodies.append(try await fetch("https://127.0.0.1:\(port)/\(name)", with: downloader))
    }
    await downloader.stop()
    #expect(bodies == connections.map { [$0] })
  }

  /// libcurl itself goes on to the next kept connection five times, and then gives up.
  @Test(arguments: [OriginServer.Behavior.Death.onNextRequest, .resetOnNextRequest])
  func `many connections that end when they are used again cost no answer`(
    death: OriginServer.Behavior.Death
  ) async throws {
    let folder = try TemporaryFolder()
    let origin = try OriginServer()
    defer { origin.stop() }
    let downloader = try downloader(folder)
    let slow = OriginServer.Behavior.keptAlive([1, 1], after: .milliseconds(300), dying: death)
    let urls = (0..<10).map { _ in origin.url(slow) }
    let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for url in urls { group.addTask { try await fetch(url, with: downloader) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bodies == urls.map { _ in [1, 1] })
    #expect(origin.acceptedConnections == 10)
    let body = try await fetch(origin.url(.overflowing([2, 2])), with: downloader)
    #expect(body == [2, 2])
    await downloader.stop()
  }

  @Test func `the end of a kept connection is not the first byte of an answer`() async throws {
    let folder = try TemporaryFolder()
    let origin = try OriginServer()
    defer { origin.stop() }
    let downloader = try downloader(folder)
    let first = origin.url(.keptAlive([1, 1], dying: .onNextRequest))
    #expect(try await fetch(first, with: downloader) == [1, 1])
    // Longer than a transfer may stall, and not longer than a first byte may take.
    let second = origin.url(.body([2, 2], delay: .milliseconds(1_500)))
    #expect(try await fetch(second, with: downloader) == [2, 2])
    #expect(origin.acceptedConnections == 2)
    await downloader.stop()
  }
}
