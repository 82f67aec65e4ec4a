import AttachmentModel
import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ResponseHeadParserTests {
  private func parsed(_ fields: String...) -> ResponseHead? {
    var parser = ResponseHeadParser()
    for line in ["HTTP/1.1 200 OK"] + fields { _ = receive(line + "\r\n", &parser) }
    return receive("\r\n", &parser)
  }

  private func receive(_ line: String, _ parser: inout ResponseHeadParser) -> ResponseHead? {
    // Invariant: the buffer lives as long as the call.
    Array(line.utf8).withUnsafeBytes { parser.receive($0) } ? parser.head : nil
  }

  @Test(arguments: ["10", " 10 ", "\t10\t", "10, 10", "10,10", "10 , 10"])
  func `a length may have white space around it, and be said twice`(value: String) throws {
    let head = try #require(parsed("Content-Length:\(value)"))
    #expect(head.contentLength == ByteCount(10))
    #expect(head.mediaType == nil)
  }

  @Test(arguments: ["", "10,", ",10", "10, 11", "+10", "-10", "1 0", "0x10", "10;"])
  func `anything else is no length`(value: String) throws {
    #expect(try #require(parsed("Content-Length: \(value)")).contentLength == nil)
  }

  @Test(arguments: ["chunked", "gzip, chunked", "identity"])
  func `no length holds beside a coding of the transfer`(coding: String) throws {
    let length = "Content-Length: 10"
    let coding = "Transfer-Encoding: \(coding)"
    for head in [parsed(length, coding), parsed(coding, length)] {
      #expect(try #require(head).contentLength == nil)
    }
  }

  @Test(arguments: [
    ["HTTP/1.1 200 OK", "#"],
    ["HTTP/1.1 103 Early Hints", "#", "", "HTTP/1.1 200 OK"],
    ["HTTP/1.1 103 Early Hints", "HTTP/1.1 200 OK: x", "", "HTTP/1.1 200 OK", "#"],
    ["HTTP/1.1  200", "#"],
  ])
  func `a coding is seen wherever it is named`(lines: [String]) {
    for coding in ["Transfer-Encoding: gzip", "content-encoding:gzip", "Accept-Encoding: gzip"] {
      var parser = ResponseHeadParser()
      for line in lines + [""] { _ = receive((line == "#" ? coding : line) + "\r\n", &parser) }
      #expect(parser.sawCoding == !coding.hasPrefix("Accept"))
    }
  }

  @Test func `only the first line of a head tells its status`() {
    let lines = [
      "HTTP/1.1 103 Early Hints", "HTTP/1.1 200 OK: x", "", "HTTP/1.1 404 Not Found",
      "HTTP/1.1 200: x", "",
    ]
    var parser = ResponseHeadParser()
    for line in lines { _ = receive(line + "\r\n", &parser) }
    #expect(parser.head == ResponseHead(status: 404))
  }

  @Test func `nothing behind the final head changes it`() {
    var parser = ResponseHeadParser()
    for line in ["HTTP/1.1 200 OK", "", "HTTP/1.1 404 Not Found", "Location: /a", ""] {
      _ = receive(line + "\r\n", &parser)
    }
    #expect(parser.head == ResponseHead(status: 200))
  }

  @Test func `white space around a value is no part of it`() throws {
    #expect(try #require(parsed("Content-Encoding: identity \t")).contentEncoding == nil)
    #expect(try #require(parsed("Content-Type: image/gif "))[.contentType] == "image/gif")
    #expect(try #require(parsed("Location: /a "))[.location] == "/a")
  }

  @Test(arguments: ["content-type", "CONTENT-TYPE", "cOnTeNt-TyPe"])
  func `a name may be in any case`(name: String) throws {
    #expect(try #require(parsed("\(name): image/gif")).mediaType == "image/gif")
  }

  @Test(arguments: ["Content\rType", "Content-Typ\u{25}", "Content-Type ", " Content-Type"])
  func `a name with any other byte is another one`(name: String) throws {
    #expect(try #require(parsed("\(name): image/gif")).mediaType == nil)
  }
}
