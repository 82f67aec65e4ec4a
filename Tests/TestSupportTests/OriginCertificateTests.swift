import Glibc
import TestSupport
import Testing

/// Judged by the `openssl` command, which shares no TLS code with the origin.
@Suite(.timeLimit(.minutes(1)), .enabled(if: access("/usr/bin/openssl", X_OK) == 0))
struct OriginCertificateTests {
  private func connect(
    to origin: OriginServer,
    asking url: String,
    host: String = "localhost"
  ) async throws -> CommandRun {
    let path = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last ?? ""
    return try await CommandRun.of(
      "/usr/bin/openssl",
      [
        "s_client", "-connect", "127.0.0.1:\(origin.port)", "-CAfile",
        origin.certificateAuthorityPath, "-verify_return_error", "-verify_hostname", host,
        "-ign_eof", "-servername", host,
      ],
      input: .bytes([UInt8]("GET /\(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
    )
  }

  @Test func `the good certificate is accepted, and the body comes`() async throws {
    let origin = try OriginServer(tls: .good)
    let url = origin.url(.body([UInt8]("the body".utf8)), named: "a.png")
    #expect(url.hasPrefix("https://127.0.0.1:"))
    let run = try await connect(to: origin, asking: url)
    #expect(run.output.contains("Verify return code: 0 (ok)"), "\(run.errorOutput)")
    #expect(run.output.contains("the body"))
    #expect(origin.requests(to: url).count == 1)
  }

  @Test func `a redirect away from TLS is answered`() async throws {
    let origin = try OriginServer(tls: .good)
    let url = origin.url(.redirects(2, to: .redirect(to: "http://127.0.0.1/")))
    #expect(try await connect(to: origin, asking: url).output.contains("Location: https://127."))
  }

  @Test(arguments: [
    (OriginServer.Certificate.selfSigned, "self-signed certificate"),
    (.expired, "certificate has expired"), (.wrongHost, "ostname mismatch"),
  ])
  func `a bad certificate is refused for its own reason`(
    certificate: OriginServer.Certificate,
    reason: String
  ) async throws {
    let origin = try OriginServer(tls: certificate)
    let url = origin.url(.body([1]))
    let run = try await connect(to: origin, asking: url)
    #expect(run.errorOutput.contains(reason), "\(run.errorOutput)")
    #expect(origin.requests.isEmpty)
  }
}
