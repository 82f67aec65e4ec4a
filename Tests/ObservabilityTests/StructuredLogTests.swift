import Foundation
import Observability
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StructuredLogTests {
  /// What a log writes into a pipe.
  private func lines(
    least: StructuredLog.Level = .info,
    _ write: (StructuredLog) -> Void
  ) throws -> [[String: Any]] {
    let pipe = Pipe()
    write(StructuredLog(descriptor: pipe.fileHandleForWriting.fileDescriptor, least: least))
    try pipe.fileHandleForWriting.close()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    return try data.split(separator: 10).compactMap {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any]
    }
  }

  @Test func `a line is one object with time, level, event and fields`() throws {
    let lines = try lines { log in
      log.write(
        .info,
        "request",
        ["status": 200, "duration_ms": .milliseconds(.microseconds(1_500)), "name": "a\"b\n\u{1}"]
      )
    }
    let line = try #require(lines.first)
    #expect(lines.count == 1)
    #expect(line["level"] as? String == "info")
    #expect(line["event"] as? String == "request")
    #expect(line["status"] as? Int == 200)
    #expect(line["duration_ms"] as? Double == 1.5)
    #expect(line["name"] as? String == "a\"b\n\u{1}")
    #expect((line["time"] as? String)?.hasSuffix("Z") == true)
  }

  @Test func `what matters less than asked for is not written`() throws {
    let lines = try lines(least: .warning) { log in
      log.write(.info, "a")
      log.write(.error, "b")
    }
    #expect(lines.map { $0["event"] as? String } == ["b"])
  }

  @Test func `a full pipe loses lines and holds nobody up`() throws {
    let pipe = Pipe()
    let log = StructuredLog(descriptor: pipe.fileHandleForWriting.fileDescriptor)
    for _ in 0..<2_000 { log.write(.info, "a line of some length, so that the pipe is soon full") }
    #expect(log.lostLines > 0)
  }
}
