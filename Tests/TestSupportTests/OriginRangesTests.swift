import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OriginRangesTests {
  private let origin: OriginServer
  private let bytes = [UInt8]("0123456789".utf8)
  private let date = "Tue, 15 Nov 1994 12:45:26 GMT"

  init() throws {
    origin = try OriginServer()
  }

  @Test(arguments: [
    ("bytes=0-3", "bytes 0-3/10", "0123"), ("bytes=4-", "bytes 4-9/10", "456789"),
    ("bytes=-2", "bytes 8-9/10", "89"), ("bytes=8-99", "bytes 8-9/10", "89"),
  ])
  func `a part is answered with 206`(asked: String, told: String, body: String) {
    let reply = RawClient.fetch(origin.url(.representation(bytes)), header: "Range: \(asked)")
    #expect(reply.status == 206)
    #expect(reply["Content-Range"] == told)
    #expect(reply.body == [UInt8](body.utf8))
    #expect(reply["ETag"] == "\"strong\"")
  }

  @Test func `a part beyond the end is answered with 416`() {
    let reply = RawClient.fetch(origin.url(.representation(bytes)), header: "Range: bytes=10-")
    #expect(reply.status == 416)
    #expect(reply["Content-Range"] == "bytes */10")
  }

  @Test func `a range can be ignored, or answered with another one`() {
    let ignored = origin.url(.representation(bytes, ranges: .ignored))
    #expect(RawClient.fetch(ignored, header: "Range: bytes=4-5").status == 200)
    let shifted = RawClient.fetch(
      origin.url(.representation(bytes, ranges: .shifted)),
      header: "Range: bytes=4-5"
    )
    #expect(shifted["Content-Range"] == "bytes 0-1/10")
    #expect(shifted.body == [UInt8]("01".utf8))
  }

  @Test(arguments: [
    ("\"a\"", "\"a\"", 206), ("\"a\"", "\"b\"", 200), ("W/\"a\"", "W/\"a\"", 200),
    ("\"a\"", "Tue, 15 Nov 1994 12:45:26 GMT", 206),
  ])
  func `If-Range compares strongly`(tag: String, condition: String, status: Int) throws {
    let url = origin.url(.representation(bytes, entityTag: tag, lastModified: date))
    let client = try #require(RawClient(url))
    client.ask(headers: "Range: bytes=4-", "If-Range: \(condition)")
    let reply = client.read(until: "9")
    #expect(reply.status == status)
  }

  @Test(arguments: [
    ("If-None-Match: \"a\"", 304), ("If-None-Match: \"b\", W/\"a\"", 304),
    ("If-None-Match: *", 304),
    ("If-None-Match: \"b\"", 200), ("If-Modified-Since: Tue, 15 Nov 1994 12:45:26 GMT", 304),
    ("If-Modified-Since: Tue, 15 Nov 1994 12:45:27 GMT", 200),
  ])
  func `what has not changed is not sent again`(header: String, status: Int) {
    let url = origin.url(.representation(bytes, entityTag: "W/\"a\"", lastModified: date))
    let reply = RawClient.fetch(url, header: header)
    #expect(reply.status == status)
    #expect(reply["Last-Modified"] == date)
    #expect(reply.body == (status == 304 ? [] : bytes))
  }
}
