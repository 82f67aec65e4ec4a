import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OriginBodiesTests {
  private typealias Framing = OriginServer.Behavior.Framing
  private let origin: OriginServer
  private let bytes = [UInt8]("0123456789".utf8)

  init() throws {
    origin = try OriginServer()
  }

  @Test func `a delay comes before the head`() {
    let url = origin.url(.body(bytes, delay: .milliseconds(60)))
    let clock = ContinuousClock()
    let elapsed = clock.measure { #expect(RawClient.fetch(url).body == bytes) }
    #expect(elapsed >= .milliseconds(60))
    #expect(elapsed < .seconds(2))
  }

  @Test(arguments: OriginServer.Behavior.Framing.allCases)
  func `a drip takes its time and comes whole`(framing: OriginServer.Behavior.Framing) {
    let url = origin.url(.dripping(bytesPerSecond: 100, of: bytes, framing: framing))
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      let reply = RawClient.fetch(url)
      #expect(reply.text.filter(\.isNumber).hasSuffix(framing == .chunked ? "8190" : "0123456789"))
      #expect((reply["Content-Length"] == nil) == (framing != .length))
    }
    #expect(elapsed >= .milliseconds(85))
    #expect(elapsed < .seconds(2))
  }

  @Test func `a slow drip gives one byte at a time`() throws {
    let client = try #require(RawClient(origin.url(.dripping(bytesPerSecond: 20, of: bytes))))
    client.ask()
    #expect(client.read(until: "\r\n\r\n0").body == [UInt8]("0".utf8))
    #expect(client.read(upTo: 2).bytes == [UInt8]("12".utf8))
  }

  @Test func `a head can go on for ever, a byte at a time`() throws {
    let client = try #require(RawClient(origin.url(.endlessHead(bytesPerSecond: 1_000))))
    client.ask()
    let reply = client.read(upTo: 100)
    #expect(reply.text.hasPrefix("HTTP/1.1 200 OK\r\nX-More: yes\r\n"))
    #expect(!reply.text.contains("\r\n\r\n"))
  }

  @Test func `a silent route never answers`() {
    let reply = RawClient.fetch(origin.url(.silent), patience: .milliseconds(50))
    #expect(reply.bytes.isEmpty)
    #expect(reply.ending == .outOfPatience)
  }

  @Test(arguments: [0, 4])
  func `a stall leaves the connection open`(count: Int) {
    let url = origin.url(.stalling(after: count, of: bytes))
    let reply = RawClient.fetch(url, patience: .milliseconds(80))
    #expect(reply["Content-Length"] == "10")
    #expect(reply.body == Array(bytes.prefix(count)))
    #expect(reply.ending == .outOfPatience)
  }

  @Test(arguments: OriginServer.Behavior.Framing.allCases)
  func `a cut body ends early and in order`(framing: OriginServer.Behavior.Framing) {
    let url = origin.url(.cut(after: 4, of: bytes, framing: framing, headers: ["ETag": "\"a\""]))
    let reply = RawClient.fetch(url)
    #expect(reply["ETag"] == "\"a\"")
    switch framing {
    case .length: #expect(reply["Content-Length"] == "10")
    case .close: #expect(reply["Content-Length"] == nil)
    case .chunked: #expect(reply["Transfer-Encoding"] == "chunked")
    }
    #expect(reply.text.hasSuffix(framing == .chunked ? "\r\n4\r\n0123\r\n" : "\r\n0123"))
    #expect(reply.ending == .closed)
  }

  @Test(arguments: [
    (OriginServer.Behavior.ChunkCut.withinChunk, "5\r\n01234\r\n5\r\n56"),
    (.withinSize, "5\r\n01234\r\n5"),
    (.beforeEnd, "5\r\n01234\r\n5\r\n56789\r\n"),
  ])
  func `chunks are cut where asked`(cut: OriginServer.Behavior.ChunkCut, body: String) {
    let reply = RawClient.fetch(origin.url(.chunksCut(cut, of: bytes)))
    #expect(reply.text.hasSuffix("\r\n\r\n" + body))
    #expect(reply.ending == .closed)
  }

  @Test(arguments: [5, 20, 4_000_000_000_000])
  func `a Content-Length can lie`(announced: Int) {
    let reply = RawClient.fetch(origin.url(.lyingLength(announced, of: bytes)))
    #expect(reply["Content-Length"] == "\(announced)")
    #expect(reply.body == bytes)
    #expect(reply.ending == .closed)
  }

  @Test(arguments: OriginServer.Behavior.Framing.allCases)
  func `an endless body goes on as long as it is read`(framing: OriginServer.Behavior.Framing) {
    let url = origin.url(.endless(framing: framing, beginningWith: bytes))
    let reply = RawClient.fetch(url, upTo: 3_000_000)
    #expect(reply.bytes.count == 3_000_000)
    #expect(reply.bytes.firstRange(of: bytes) != nil)
    #expect(reply.ending == .enough)
  }

  @Test func `a reset comes in place of the head`() {
    let reply = RawClient.fetch(origin.url(.resetBeforeHead))
    #expect(reply.bytes.isEmpty)
    #expect(reply.ending == .reset)
  }

  @Test func `a reset comes within the body`() {
    let reply = RawClient.fetch(origin.url(.reset(after: 4, of: bytes)))
    #expect(reply.body == Array(bytes.prefix(4)))
    #expect(reply.ending == .reset)
  }

  @Test(arguments: OriginServer.Behavior.BrokenHead.allCases)
  func `a broken head is sent as it is`(head: OriginServer.Behavior.BrokenHead) {
    let reply = RawClient.fetch(origin.url(.brokenHead(head)))
    #expect(reply.ending == .closed)
    #expect(reply.bytes.isEmpty == (head == .nothing))
    #expect(head != .hugeField || reply.bytes.count > 1 << 20)
    #expect(head != .nulBytes || reply.bytes.contains(0))
  }

  @Test func `bytes are sent verbatim`() {
    #expect(RawClient.fetch(origin.url(.verbatim([0, 255, 13]))).bytes == [0, 255, 13])
  }
}
