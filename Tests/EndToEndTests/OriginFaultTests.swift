import TestSupport
import Testing

/// Every fault of an origin has the contract's code, in its time, and leaves nothing behind.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct OriginFaultTests {
  /// An origin's behavior, and what the command must make of it.
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let behavior: OriginServer.Behavior
    let verdict: String
    let code: String?
    let options: [String]
    let fileName: String

    init(
      _ name: String,
      _ behavior: OriginServer.Behavior,
      _ verdict: String,
      _ code: String? = nil,
      named fileName: String = "a.jpg",
      options: [String] = []
    ) {
      self.name = name
      self.behavior = behavior
      self.verdict = verdict
      self.code = code
      self.options = options
      self.fileName = fileName
    }

    var testDescription: String { name }
  }

  private static let picture = Fixture("jpeg/valid/baseline.jpg").bytes

  /// The same, of more bytes than are read at once.
  private static let largePicture = commented(by: 10)

  /// The picture with so many comments of 65,533 bytes, no two bytes alike side by side.
  private static func commented(by count: Int) -> [UInt8] {
    let text = (0..<65_533).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }
    let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + text
    return picture.prefix(2) + (0..<count).flatMap { _ in comment } + picture.dropFirst(2)
  }

  /// Bytes as the first part of so many.
  private static func part(of bytes: [UInt8], total: Int) -> OriginServer.Behavior {
    let head = """
      HTTP/1.1 206 Partial Content\r
      Content-Range: bytes 0-\(bytes.count - 1)/\(total)\r
      Content-Length: \(bytes.count)\r
      \r

      """
    return .verbatim(Array(head.utf8) + bytes)
  }

  private static let times = [
    Fault("a slow head", .body(picture, delay: .seconds(15)), "unobtainable", "timed-out"),
    Fault("a head that never ends", .endlessHead(), "unobtainable", "stalled"),
    Fault("silence", .silent, "unobtainable", "timed-out"),
    Fault(
      "a dripping body",
      .dripping(bytesPerSecond: 100, of: picture),
      "unobtainable",
      "stalled"
    ),
    Fault(
      "a dripping body without a length",
      .dripping(bytesPerSecond: 100, of: picture, framing: .close),
      "unobtainable",
      "stalled"
    ),
    Fault(
      "dripping chunks",
      .dripping(bytesPerSecond: 100, of: picture, framing: .chunked),
      "unobtainable",
      "stalled"
    ),
    Fault("a body that stops", .stalling(after: 1_500, of: picture), "unobtainable", "stalled"),
    Fault(
      "an attempt that takes too long",
      .dripping(bytesPerSecond: 4_000, of: picture + picture + picture),
      "unobtainable",
      "timed-out",
      options: ["--timeout", "700ms"]
    ),
    Fault(
      "a budget that is over",
      .dripping(bytesPerSecond: 4_000, of: picture + picture + picture),
      "unobtainable",
      "budget-spent",
      options: ["--budget", "700ms"]
    ),
  ]

  private static let bodies = [
    Fault(
      "a length with white space around it",
      .verbatim(
        Array("HTTP/1.1 200 OK\r\nContent-Length:  \(picture.count) \r\n\r\n".utf8) + picture
      ),
      "deliverable"
    ),
    Fault(
      "trailers without end",
      .verbatim(
        Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n".utf8)
          + Array(String(repeating: "A: b\r\n", count: 200_000).utf8)
      ),
      "unobtainable",
      "protocol-error"
    ),
    Fault(
      "a part that nobody asked for",
      part(of: picture, total: picture.count + 1_000),
      "unobtainable",
      "incomplete-body",
      options: ["--retries", "0"]
    ),
    Fault("a part that is the whole", part(of: picture, total: picture.count), "deliverable"),
    Fault("a whole body", .body(picture, type: "image/jpeg"), "deliverable"),
    Fault("whole chunks", .chunked(picture, type: "image/jpeg"), "deliverable"),
    Fault(
      "chunks beside a length",
      .verbatim(
        Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\nTransfer-Encoding: chunked\r\n".utf8)
          + Array("\r\n\(String(picture.count, radix: 16))\r\n".utf8) + picture
          + Array("\r\n0\r\n\r\n".utf8)
      ),
      "deliverable"
    ),
    Fault("informational heads first", .interim([100, 103], then: picture), "deliverable"),
    Fault("a cut body", .cut(after: 1_500, of: picture), "unobtainable", "incomplete-body"),
    Fault(
      "a cut body without a length",
      .cut(after: 1_500, of: picture, framing: .close),
      "rejected",
      "truncated"
    ),
    Fault(
      "a cut within a chunk",
      .chunksCut(.withinChunk, of: picture),
      "unobtainable",
      "incomplete-body"
    ),
    Fault(
      "a cut within a chunk's size",
      .chunksCut(.withinSize, of: picture),
      "unobtainable",
      "incomplete-body"
    ),
    Fault("no last chunk", .chunksCut(.beforeEnd, of: picture), "unobtainable", "incomplete-body"),
    Fault(
      "a length that is too long",
      .lyingLength(picture.count + 100, of: picture),
      "unobtainable",
      "incomplete-body"
    ),
    Fault(
      "a length that is too short",
      .lyingLength(picture.count / 2, of: picture),
      "rejected",
      "truncated"
    ),
    Fault(
      "a reset in the body",
      .reset(after: 1_500, of: picture),
      "unobtainable",
      "incomplete-body"
    ),
    Fault("a reset before the head", .resetBeforeHead, "unobtainable", "protocol-error"),
    Fault("endless chunks", .endless(beginningWith: picture), "rejected", "too-large"),
    Fault(
      "an endless body",
      .endless(framing: .close, beginningWith: picture),
      "rejected",
      "too-large"
    ),
    Fault(
      "a length of terabytes",
      .endless(framing: .length, beginningWith: picture),
      "rejected",
      "too-large"
    ),
    Fault("no bytes", .body([]), "rejected", "empty"),
  ]

  private static let codings = [
    Fault("gzip unasked", .gzipped(picture, type: "image/jpeg"), "deliverable"),
    Fault("a large body", .body(largePicture, type: "image/jpeg"), "deliverable"),
    Fault("a large body in chunks", .chunked(largePicture, type: "image/jpeg"), "deliverable"),
    Fault("a large gzip", .gzipped(largePicture, type: "image/jpeg"), "deliverable"),
    Fault(
      "a compressed transfer",
      .gzippedTransfer(largePicture, saidByInterimHead: false),
      "deliverable"
    ),
    Fault(
      "a compressed transfer that an interim head tells of",
      .gzippedTransfer(largePicture, saidByInterimHead: true),
      "rejected",
      "unsupported-type"
    ),
    Fault(
      "a compressed transfer behind an interim head with a second status",
      .gzippedTransfer(largePicture, behind: "HTTP/1.1 103 Early Hints", "HTTP/1.1 200 OK: x"),
      "deliverable"
    ),
    Fault(
      "a gzip bomb",
      .gzipBomb(size: 200_000_000, beginningWith: picture),
      "rejected",
      "too-large"
    ),
    Fault(
      "a gzip with a wrong checksum",
      .brokenGzip(.checksum, of: picture),
      "unobtainable",
      "bad-encoding"
    ),
    Fault(
      "a gzip with more behind it",
      .brokenGzip(.followed, of: picture),
      "unobtainable",
      "bad-encoding"
    ),
    Fault("no gzip at all", .brokenGzip(.garbage, of: picture), "unobtainable", "bad-encoding"),
    Fault(
      "an unknown coding",
      .coded(picture, as: "zstd-nonsense"),
      "unobtainable",
      "bad-encoding"
    ),
  ]

  private static let redirects = [
    Fault("a redirect loop", .redirectLoop(), "unobtainable", "too-many-redirects"),
    Fault("ten redirects", .redirects(10, to: .body(picture), named: "a.jpg"), "deliverable"),
    Fault(
      "eleven redirects",
      .redirects(11, to: .body(picture)),
      "unobtainable",
      "too-many-redirects"
    ),
    Fault(
      "a redirect to a private address",
      .redirect(to: "http://127.0.0.2:9999/a.jpg"),
      "unobtainable",
      "blocked-address"
    ),
    Fault(
      "a redirect to a private address in disguise",
      .redirect(to: "http://0x7f000002:9999/a.jpg"),
      "unobtainable",
      "blocked-address"
    ),
    Fault(
      "a redirect to a file",
      .redirect(to: "file:///etc/passwd"),
      "unobtainable",
      "unsupported-scheme"
    ),
    Fault(
      "a redirect to FTP",
      .redirect(to: "ftp://127.0.0.1/a.jpg"),
      "unobtainable",
      "unsupported-scheme"
    ),
    Fault(
      "a redirect to a guarded port",
      .redirect(to: "http://127.0.0.1:22/a.jpg"),
      "unobtainable",
      "blocked-port"
    ),
    Fault(
      "a redirect to a relative path with raw spaces",
      .redirects(1, to: .body(picture), spelling: .relative, named: "a b \u{fc}.jpg"),
      "deliverable"
    ),
    Fault(
      "a redirect without a scheme",
      .redirects(1, to: .body(picture), spelling: .protocolRelative, named: "a.jpg"),
      "deliverable"
    ),
    Fault("a redirect to nowhere", .redirect(to: nil), "unobtainable", "http-status"),
    Fault("a redirect with a body", .redirects(2, to: .body(picture), status: 308), "deliverable"),
  ]

  private static let statuses =
    [400, 401, 403, 404, 410, 429, 500, 502, 503].map {
      Fault("status \($0)", .status($0), "unobtainable", "http-status")
    } + [
      Fault("status 204", .status(204), "rejected", "empty"),
      Fault("status 304", .status(304), "unobtainable", "http-status"),
    ]

  private static let heads = OriginServer.Behavior.BrokenHead.allCases.filter { head in
    // What browsers put up with is put up with here: they say where the body ends.
    ![.nulBytes, .lineWithoutColon, .status999].contains(head)
  }
  .map { head in
    // Chunks are the body's framing: what breaks there is the body.
    let code = head == .brokenChunkSize ? "incomplete-body" : "protocol-error"
    return Fault("a broken head: \(head.rawValue)", .brokenHead(head), "unobtainable", code)
  }

  @Test(arguments: times + bodies + codings + redirects + statuses + heads)
  func `a fault of the origin has its code`(_ fault: Fault) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await CheckAnswer.of(
      [
        "--no-preview", "--allow-address", "127.0.0.1/32", "--first-byte-timeout", "600ms",
        "--stall-timeout", "600ms",
      ] + fault.options + [origin.url(fault.behavior, named: fault.fileName)]
    )
    #expect(answer.verdict == fault.verdict, "\(answer)")
    if let code = fault.code {
      #expect(answer.codes.contains(code), "\(answer)")
    }
    let statuses = ["deliverable": 0, "rejected": 1, "unobtainable": 2]
    #expect(answer.run.ending == .exited(CInt(statuses[fault.verdict] ?? 70)))
    #expect(answer.leftovers == [])
    #expect(answer.run.elapsed < .seconds(8))
  }

  @Test(arguments: OriginServer.Certificate.allCases)
  func `only a good certificate is trusted`(_ certificate: OriginServer.Certificate) async throws {
    let origin = try OriginServer(tls: certificate)
    defer { origin.stop() }
    let answer = try await CheckAnswer.of([
      "--no-preview", "--allow-address", "127.0.0.1/32", "--ca-file",
      origin.certificateAuthorityPath,
      origin.url(.body(Self.picture, type: "image/jpeg"), named: "a.jpg"),
    ])
    #expect(answer.verdict == (certificate == .good ? "deliverable" : "unobtainable"), "\(answer)")
    #expect(answer.codes == (certificate == .good ? [] : ["tls-failed"]))
    let message = answer.part("error")["message"] as? String
    switch certificate {
    case .good: #expect(message == nil)
    case .expired: #expect(message?.contains("has expired") == true)
    case .selfSigned: #expect(message?.contains("self-signed") == true)
    case .wrongHost:
      #expect(
        message?.contains("does not match") == true || message?.contains("no alternative") == true
      )
    }
    #expect(answer.leftovers == [])
  }

  @Test func `a stall is noticed in its time, however patient the other clocks are`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await CheckAnswer.of([
      "--no-preview", "--allow-address", "127.0.0.1/32", "--retries", "0",
      "--connect-timeout", "10s", "--first-byte-timeout", "10s", "--stall-timeout", "600ms",
      origin.url(.dripping(bytesPerSecond: 50, of: Self.picture), named: "a.jpg"),
    ])
    #expect(answer.codes == ["stalled"], "\(answer)")
    #expect(answer.run.elapsed < .seconds(4))
  }

  @Test func `a redirect does not wait for a body that never comes`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let target = origin.url(.body(Self.picture), named: "a.jpg")
    let answer = try await CheckAnswer.of([
      "--no-preview", "--allow-address", "127.0.0.1/32", "--stall-timeout", "20s",
      origin.url(.redirectWithoutItsBody(to: target), named: "b.jpg"),
    ])
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(answer.run.elapsed < .seconds(4))
  }

  @Test func `too few descriptors cost time, not answers`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let url = origin.url(.body(Self.picture, type: "image/jpeg"), named: "a.jpg")
    let run = try await CommandRun.of(
      "/bin/sh",
      [
        "-c", "ulimit -n 64; exec \"$0\" \"$@\"", try CommandRun.affix, "check", "--quick",
        "--concurrency", "4096", "--per-host", "4096", "--allow-address", "127.0.0.1/32",
      ] + Array(repeating: url, count: 300)
    )
    #expect(run.ending == .exited(0), "\(run)")
    #expect(run.errorOutput.contains("ulimit -n"))
  }

  @Test func `a refused connection is told apart`() async throws {
    let port = try OriginServer.refusedPort()
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", "http://127.0.0.1:\(port)/a.jpg",
    ])
    #expect(answer.codes == ["connection-refused"])
  }

  @Test func `what fails behind a redirect says where`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let refused = "http://127.0.0.1:\(try OriginServer.refusedPort())/a.jpg"
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", "--retries", "0",
      origin.url(.redirect(to: refused), named: "a.jpg", host: "localhost"),
    ])
    #expect(answer.codes == ["connection-refused"])
    let message = answer.part("error")["message"] as? String
    #expect(message?.hasPrefix("behind a redirect to 127.0.0.1: ") == true, "\(answer)")
  }

  @Test(arguments: [
    "http://127.0.0.1:9999/", "http://localhost:9999/", "http://2130706433:9999/",
    "http://[::1]:9999/", "http://[::ffff:127.0.0.1]:9999/", "http://169.254.169.254/latest",
    "http://10.0.0.1/", "http://0:9999/",
  ])
  func `private addresses are refused by default`(url: String) async throws {
    let answer = try await CheckAnswer.of([url])
    #expect(answer.codes == ["blocked-address"], "\(answer)")
    #expect(answer.run.ending == .exited(2))
  }

  @Test(arguments: [(404, 100_000, "status"), (503, 100_000, "status"), (404, 0, nil)])
  func `the body of an error page is spared`(status: Int, size: Int, reason: String?) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let page = OriginServer.Behavior.body(Array(repeating: 32, count: size), status: status)
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", "--retries", "0", origin.url(page, named: "a.png"),
    ])
    #expect(answer.codes == ["http-status"], "\(answer)")
    let transfer = answer.part("transfer")
    #expect(transfer["ended_early"] as? String == reason)
    #expect(transfer["spared_bytes"] as? Int == (reason == nil ? nil : size))
  }

  @Test func `what is spared of a coded body is counted as it is announced`() async throws {
    let page = Array("<!DOCTYPE html><html><body>".utf8) + Array(repeating: 32, count: 4_973)
    let origin = try OriginServer()
    defer { origin.stop() }
    // A header of 10 bytes, the page as a stored block of 5,005, 10,418 bits for the zeros, 8 bytes.
    let bomb = OriginServer.Behavior.gzipBomb(
      size: 5_000 + 1 + 800 * 258,
      beginningWith: page,
      stallingAfter: 5_015
    )
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", origin.url(bomb, named: "a.png"),
    ])
    #expect(answer.codes == ["unsupported-type"], "\(answer)")
    #expect(answer.part("transfer")["spared_bytes"] as? Int == 1_303 + 8, "\(answer)")
  }

  @Test func `an HTML page ends the transfer at its first bytes`() async throws {
    let page = Array("<!DOCTYPE html><html><body>".utf8) + Array(repeating: 32, count: 3_000_000)
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", origin.url(.body(page, type: "image/png"), named: "a.png"),
    ])
    #expect(answer.codes == ["unsupported-type"], "\(answer)")
    let transfer = answer.part("transfer")
    #expect(transfer["ended_early"] as? String == "unsupported-type")
    #expect((transfer["spared_bytes"] as? Int ?? 0) > 2_000_000)
    #expect(answer.part("media")["format"] as? String == "html")
  }

  @Test(
    arguments: [
      ("3gp/valid/h264.3gp", "movie"), ("webm/valid/vp8.webm", "movie"),
      ("avi/valid/mpeg4.avi", "movie"), ("other/valid/matroska.mkv", "movie"),
      ("pdf/valid/one-page.pdf", "undecodable"), ("html/valid/error-page.html", "undecodable"),
      ("svg/valid/rectangle.svg", "undecodable"), ("other/valid/postscript.ps", "undecodable"),
    ]
  )
  func `what cannot be previewed is told from the first bytes as from the whole`(
    name: String,
    code: String
  ) async throws {
    let fixture = Fixture(name)
    let origin = try OriginServer()
    defer { origin.stop() }
    // Long enough to be stopped before its end, whatever is read at once.
    let bytes = fixture.bytes + [UInt8](repeating: 32, count: 3_000_000)
    let url = origin.url(.body(bytes), named: "a.bin")
    let remote = try await CheckAnswer.of(["--allow-address", "127.0.0.1/32", url])
    let local = try await CheckAnswer.of([fixture.path])
    let words: (CheckAnswer) -> [String?] = {
      let error = $0.part("preview")["error"] as? [String: Any]
      return [error?["code"] as? String, error?["message"] as? String]
    }
    #expect(remote.part("transfer")["ended_early"] as? String == "unsupported-type", "\(remote)")
    #expect(words(remote).first == code, "\(remote)")
    #expect(words(remote) == words(local), "\(remote) \(local)")
  }

  @Test(
    arguments: [
      (.silent, "timed-out", 600), (.body(picture, delay: .seconds(9)), "timed-out", 600),
      (.endlessHead(), "stalled", 600), (.stalling(after: 1_500, of: picture), "stalled", 600),
    ] as [(OriginServer.Behavior, String, Double)]
  )
  func `a clock of the transfer ends it, not another`(
    behavior: OriginServer.Behavior,
    code: String,
    milliseconds: Double
  ) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", "--first-byte-timeout", "600ms", "--stall-timeout",
      "600ms", origin.url(behavior, named: "a.jpg"),
    ])
    #expect(answer.codes == [code], "\(answer)")
    let total = answer.part("transfer")["total_ms"] as? Double ?? 0
    #expect(total >= milliseconds)
    #expect(total < milliseconds + 2_000)
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n"])
  func `too many header lines at once are told as what they are`(start: String) async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let lines = String(repeating: "X-A: \(String(repeating: "a", count: 93))\r\n", count: 4_000)
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", "--retries", "0",
      origin.url(.verbatim(Array((start + lines).utf8)), named: "a.jpg"),
    ])
    #expect(answer.codes == ["protocol-error"], "\(answer)")
    let message = answer.part("error")["message"] as? String
    #expect(message == "the answer's header lines are longer than 307200 bytes")
  }

  @Test func `extra headers go to the first host only`() async throws {
    let first = try OriginServer()
    let second = try OriginServer(address: "127.0.0.2")
    defer {
      first.stop()
      second.stop()
    }
    let target = second.url(.body(Self.picture), named: "a.jpg")
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.0/8", "--header", "X-Token: secret",
      "--user-agent", "Tester/1", first.url(.redirect(to: target), named: "a.jpg"),
    ])
    #expect(answer.verdict == "deliverable", "\(answer)")
    #expect(first.requests.first?["x-token"] == "secret")
    #expect(second.requests.count == 1)
    #expect(second.requests.first?["x-token"] == nil)
    #expect(second.requests.first?["user-agent"] == "Tester/1")
  }

  @Test func `the phases of a transfer add up to its total`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let answer = try await CheckAnswer.of([
      "--allow-address", "127.0.0.1/32", "--no-preview",
      origin.url(
        .redirects(
          2,
          to: .body(Self.picture, type: "image/jpeg", delay: .milliseconds(80)),
          named: "a.jpg"
        )
      ),
    ])
    let transfer = answer.part("transfer")
    let phases = ["name_lookup", "connect", "tls", "redirect", "first_byte", "body", "wait"]
    let sum = phases.reduce(0) { $0 + (transfer["\($1)_ms"] as? Double ?? 0) }
    #expect(abs(sum - (transfer["total_ms"] as? Double ?? -1)) < 1)
    #expect((transfer["first_byte_ms"] as? Double ?? 0) >= 79)
    let budget = answer.part("budget")
    let entries = budget["entries"] as? [[String: Any]] ?? []
    let charged = entries.filter { $0["stage"] as? String != "queue" }
    let spent = charged.reduce(0) { $0 + ($1["ms"] as? Double ?? 0) }
    #expect(abs(spent - (budget["spent_ms"] as? Double ?? -1)) < 1)
  }
}
