import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OriginRedirectsTests {
  private let origin: OriginServer
  private let bytes = [UInt8]("0123456789".utf8)

  init() throws {
    origin = try OriginServer()
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a chain has so many hops, and then the body`(status: Int) throws {
    var url = origin.url(
      .redirects(3, to: .dripping(bytesPerSecond: 1_000, of: bytes), status: status)
    )
    for _ in 0..<3 {
      let reply = RawClient.fetch(url)
      #expect(reply.status == status)
      url = try #require(reply["Location"])
    }
    #expect(RawClient.fetch(url).body == bytes)
    #expect(origin.requests.count == 4)
  }

  @Test func `a loop leads to itself`() throws {
    let url = origin.url(.redirectLoop())
    let location = try #require(RawClient.fetch(url)["Location"])
    #expect(location.hasPrefix("/"))
    #expect(url.hasSuffix(location))
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/a", "http://127.0.0.2/", ""])
  func `a location is sent as it is`(location: String) {
    let reply = RawClient.fetch(origin.url(.redirect(to: location)))
    #expect(reply.status == 302)
    #expect(reply["Location"] == location)
  }

  @Test func `a redirect can lack its location, and have a body`() {
    let reply = RawClient.fetch(origin.url(.redirect(to: nil, status: 301, body: bytes)))
    #expect(reply.status == 301)
    #expect(reply["Location"] == nil)
    #expect(reply.body == bytes)
  }

  @Test(arguments: OriginServer.Behavior.Spelling.allCases)
  func `blanks and Unicode stand raw in a location`(spelling: OriginServer.Behavior.Spelling) throws
  {
    let url = origin.url(
      .redirects(to: .body(bytes), spelling: spelling, named: "ein Bild \u{FC}.jpg")
    )
    let location = try #require(RawClient.fetch(url)["Location"])
    #expect(location.hasSuffix("/ein Bild \u{FC}.jpg"))
    let start =
      switch spelling {
      case .absolute: "http://127.0.0.1:"
      case .path: "/"
      case .relative: "../"
      case .protocolRelative: "//127.0.0.1:"
      }
    #expect(location.hasPrefix(start))
  }

  @Test func `a relative location finds an orderly body on the same port`() throws {
    let url = origin.url(.redirects(to: .body(bytes), spelling: .path, named: "a.png"))
    let path = try #require(RawClient.fetch(url)["Location"])
    let server = url.split(separator: "/").prefix(2).joined(separator: "//")
    #expect(RawClient.fetch(server + path).body == bytes)
  }

  @Test func `another host name can be asked for`() {
    #expect(origin.url(.body(bytes), host: "localhost").hasPrefix("http://localhost:"))
  }
}
