import Glibc
import TestSupport
import Testing

/// Judged by the system's gzip, which shares no line with ours.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: access("/usr/bin/gzip", X_OK) == 0 || access("/bin/gzip", X_OK) == 0)
)
struct OriginCodingsTests {
  private let origin: OriginServer
  private let bytes = [UInt8](repeating: 7, count: 65_530) + [UInt8]("0123456789".utf8)

  init() throws {
    origin = try OriginServer()
  }

  private func decode(_ gzip: [UInt8]) async throws -> CommandRun {
    try await CommandRun.of("/bin/gzip", ["-dc"], input: .bytes(gzip))
  }

  @Test func `a gzip that nobody asked for decodes`() async throws {
    let reply = RawClient.fetch(origin.url(.gzipped(bytes)))
    #expect(reply["Content-Encoding"] == "gzip")
    let run = try await decode(reply.body)
    #expect(run.ending == .exited(0))
    #expect(run.outputBytes == bytes)
  }

  @Test func `an empty gzip decodes to nothing`() async throws {
    let run = try await decode(RawClient.fetch(origin.url(.gzipped([]))).body)
    #expect(run.ending == .exited(0))
    #expect(run.outputBytes.isEmpty)
  }

  @Test(arguments: [5, 6, 263, 1_000_000])
  func `a bomb is small and decodes to its size`(size: Int) async throws {
    let start = [UInt8]("start".utf8)
    let reply = RawClient.fetch(origin.url(.gzipBomb(size: size, beginningWith: start)))
    #expect(reply.body.count < 320 + size / 150)
    let run = try await decode(reply.body)
    #expect(run.ending == .exited(0))
    #expect(run.outputBytes == start + [UInt8](repeating: 0, count: size - 5))
  }

  @Test(arguments: OriginServer.Behavior.GzipFault.allCases)
  func `a broken gzip does not decode`(fault: OriginServer.Behavior.GzipFault) async throws {
    let reply = RawClient.fetch(origin.url(.brokenGzip(fault, of: bytes)))
    #expect(reply["Content-Encoding"] == "gzip")
    #expect(reply["Content-Length"] == "\(reply.body.count)")
    #expect(try await decode(reply.body).ending == .exited(fault == .followed ? 2 : 1))
  }

  @Test func `an unknown coding is only claimed`() {
    let reply = RawClient.fetch(origin.url(.coded(bytes, as: "zstd-nonsense")))
    #expect(reply["Content-Encoding"] == "zstd-nonsense")
    #expect(reply.body == bytes)
  }
}
