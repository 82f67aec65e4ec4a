import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OriginServerTests {
  private let origin: OriginServer
  private let bytes = [UInt8]("0123456789".utf8)

  init() throws {
    origin = try OriginServer()
  }

  @Test func `a body comes whole, with its type and further fields`() {
    let url = origin.url(.body(bytes, type: "image/png", status: 201, headers: ["X-A": "b"]))
    let reply = RawClient.fetch(url)
    #expect(reply.status == 201)
    #expect(reply.body == bytes)
    #expect(reply["Content-Type"] == "image/png")
    #expect(reply["Content-Length"] == "10")
    #expect(reply["X-A"] == "b")
    #expect(reply.ending == .closed)
  }

  @Test(arguments: [200, 204, 206, 304, 400, 401, 403, 404, 410, 429, 451, 500, 503])
  func `every status is answered`(status: Int) {
    let reply = RawClient.fetch(origin.url(.status(status)))
    #expect(reply.status == status)
    #expect(reply.body.isEmpty == (status == 204 || status == 304))
    #expect(reply.ending == .closed)
  }

  @Test func `a refusal says when to try again`() {
    let reply = RawClient.fetch(origin.url(.retryAfter(7, status: 503)))
    #expect(reply.status == 503)
    #expect(reply["Retry-After"] == "7")
  }

  @Test func `name and query of a path are used as given, and seen in the request`() throws {
    let url = origin.url(.body(bytes), named: "a b.jpg?x=1&y=%20")
    #expect(url.hasSuffix("/a b.jpg?x=1&y=%20"))
    let plain = origin.url(.body(bytes), named: "a.jpg?x=1&y=%20")
    _ = RawClient.fetch(plain, header: "Authorization: secret")
    let request = try #require(origin.requests(to: plain).first)
    #expect(request.target.hasSuffix("/a.jpg?x=1&y=%20"))
    #expect(request.method == "GET")
    #expect(request["authorization"] == "secret")
    #expect(request.time > .zero)
  }

  @Test func `a raw route writes requests down too`() throws {
    let url = origin.url(.cut(after: 1, of: bytes), named: "a.jpg?x=1")
    _ = RawClient.fetch(url, header: "Range: bytes=1-")
    let request = try #require(origin.requests(to: url).first)
    #expect(request.target.hasSuffix("/a.jpg?x=1"))
    #expect(request["Range"] == "bytes=1-")
    #expect(origin.requests.count == 1)
  }

  @Test func `a request that comes while another is answered is answered too`() throws {
    let slow = origin.url(.body(bytes, delay: .milliseconds(50)))
    let last = origin.url(.body([UInt8]("last".utf8), delay: .milliseconds(50)))
    let client = try #require(RawClient(slow))
    client.ask()
    let path = last.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)[3]
    client.ask("/\(path)")
    #expect(client.read(until: "last").ending == .enough)
  }

  @Test func `an unknown path is not found`() {
    let url = origin.url(.body(bytes))
    let stranger = url.split(separator: "/").prefix(2).joined(separator: "//") + "/nothing/here"
    #expect(RawClient.fetch(stranger).status == 404)
    #expect(origin.requests.count == 1)
  }

  @Test func `HEAD gets the length and no body`() {
    let reply = RawClient.fetch(origin.url(.body(bytes)), method: "HEAD")
    #expect(reply["Content-Length"] == "10")
    #expect(reply.body.isEmpty)
  }

  @Test func `several answers come over one kept connection`() throws {
    let url = origin.url(.body(bytes))
    let client = try #require(RawClient(url))
    for _ in 0..<3 {
      client.ask()
      #expect(client.read(until: "0123456789").status == 200)
    }
    #expect(Set(origin.requests.map(\.connection)).count == 1)
    #expect(origin.requests.count == 3)
    #expect(origin.acceptedConnections == 1)
  }

  @Test func `several raw answers come over one kept connection`() throws {
    let url = origin.url(.chunked(bytes, size: 4))
    let client = try #require(RawClient(url))
    for _ in 0..<3 {
      client.ask()
      #expect(
        client.read(until: "0\r\n\r\n").body
          == [UInt8]("4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n".utf8)
      )
    }
    #expect(origin.acceptedConnections == 1)
  }

  @Test(arguments: [
    OriginServer.Behavior.Death.idle(.milliseconds(20)), .onNextRequest, .resetOnNextRequest,
  ])
  func `a kept connection dies`(death: OriginServer.Behavior.Death) throws {
    let client = try #require(RawClient(origin.url(.keptAlive(bytes, dying: death))))
    client.ask()
    #expect(client.read(until: "0123456789").status == 200)
    if case .idle = death {} else { client.ask() }
    let rest = client.read()
    #expect(rest.bytes.isEmpty)
    // A close with an unread request in the buffer is a reset by itself.
    #expect(death == .resetOnNextRequest ? rest.ending == .reset : rest.ending != .outOfPatience)
    #expect(origin.requests.count == 1)
  }

  @Test func `the first requests fail and the others do not, on each route`() {
    let behavior = OriginServer.Behavior.failing(
      times: 2,
      with: .resetBeforeHead,
      then: .failing(times: 1, with: .status(503), then: .body(bytes))
    )
    let (one, other) = (origin.url(behavior), origin.url(behavior))
    #expect(RawClient.fetch(one).ending == .reset)
    #expect(RawClient.fetch(one).ending == .reset)
    #expect(RawClient.fetch(other).ending == .reset)
    #expect(RawClient.fetch(one).status == 503)
    #expect(RawClient.fetch(one).body == bytes)
    #expect(origin.requests(to: one).count == 4)
  }

  @Test(arguments: [[100], [103], [100, 103]])
  func `interim answers come first`(statuses: [Int]) {
    let reply = RawClient.fetch(origin.url(.interim(statuses, then: bytes)))
    #expect(reply.status == statuses.first)
    #expect(reply.text.contains("\r\n\r\nHTTP/1.1 200 OK\r\n"))
    #expect(reply.text.hasSuffix("0123456789"))
  }

  @Test func `another loopback address is another origin`() throws {
    let second = try OriginServer(address: "127.0.0.2")
    let target = second.url(.body(bytes))
    #expect(target.hasPrefix("http://127.0.0.2:"))
    let reply = RawClient.fetch(origin.url(.redirect(to: target)))
    #expect(reply["Location"] == target)
    #expect(RawClient.fetch(target).body == bytes)
    #expect(throws: OriginError.self) { try OriginServer(address: "192.0.2.1") }
  }

  @Test func `a stopped origin refuses connections and has closed the old ones`() throws {
    let urls = [origin.url(.body(bytes)), origin.url(.silent), origin.url(.endless())]
    let clients = try urls.map { try #require(RawClient($0)) }
    for client in clients { client.ask() }
    _ = clients[2].read(upTo: 100)
    let clock = ContinuousClock()
    #expect(clock.measure { origin.stop() } < .seconds(1))
    for client in clients { #expect(client.read().ending != .outOfPatience) }
    for url in urls { #expect(RawClient(url) == nil) }
    #expect(origin.openConnections == 0)
    origin.stop()
  }

  @Test func `an origin that nobody refers to gives its descriptors and port back`() throws {
    var url = ""
    do {
      let short = try OriginServer()
      url = short.url(.body(bytes))
      #expect(RawClient.fetch(url).status == 200)
    }
    #expect(RawClient(url) == nil)
  }

  @Test func `three hundred clients at once are served`() async throws {
    let slow = origin.url(.body(bytes, delay: .milliseconds(100)))
    let plain = origin.url(.body(bytes))
    let clients = (0..<300).compactMap { RawClient($0.isMultiple(of: 2) ? slow : plain) }
    #expect(clients.count == 300)
    for client in clients { client.ask() }
    #expect(await origin.received(300))
    #expect(origin.openConnections == 300)
    for client in clients { #expect(client.read(until: "0123456789").status == 200) }
  }

  @Test func `an origin sees its clients leave`() async throws {
    let url = origin.url(.dripping(bytesPerSecond: 1, of: bytes))
    do {
      let client = try #require(RawClient(url))
      client.ask()
      #expect(client.read(until: "0").status == 200)
      #expect(origin.openConnections == 1)
    }
    #expect(await origin.becameIdle())
    #expect(await origin.received(2, within: .milliseconds(10)) == false)
  }

  @Test func `a refused port refuses`() throws {
    let port = try OriginServer.refusedPort()
    #expect(RawClient("http://127.0.0.1:\(port)/") == nil)
    #expect(errno == ECONNREFUSED)
  }

  @Test func `a quiet port connects and says nothing`() throws {
    let quiet = try QuietPort()
    let client = try #require(RawClient(quiet.url()))
    client.ask()
    let reply = client.read(patience: .milliseconds(50))
    #expect(reply.bytes.isEmpty)
    #expect(reply.ending == .outOfPatience)
  }

  @Test func `an unreachable port does not even connect`() throws {
    let quiet = try QuietPort(unreachable: true)
    #expect(RawClient(quiet.url(), patience: .milliseconds(100)) == nil)
    #expect(RawClient(origin.url(.body(bytes)), patience: .milliseconds(100)) != nil)
  }
}
