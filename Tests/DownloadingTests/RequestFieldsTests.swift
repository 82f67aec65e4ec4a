import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestFieldsTests {
  private func fields(
    _ own: [String],
    forFirstHost isFirstHost: Bool = true,
    offersCodings: Bool = true
  ) -> [String] {
    var configuration = Downloader.Configuration()
    configuration.headers = own
    configuration.userAgent = "Tester/1"
    return configuration.requestFields(forFirstHost: isFirstHost, offersCodings: offersCodings)
  }

  private static let constant = ["User-Agent: Tester/1", "Accept-Encoding: gzip, deflate, br"]

  @Test func `the first host gets the extra headers, others do not`() {
    #expect(fields(["X-Key: 1"]) == ["X-Key: 1"] + Self.constant)
    #expect(fields(["X-Key: 1"], forFirstHost: false) == Self.constant)
  }

  @Test(arguments: ["user-agent: Mine", "USER-AGENT:", "User-Agent: "])
  func `an extra header stands for the field of its name`(own: String) {
    #expect(fields([own]) == [own, "Accept-Encoding: gzip, deflate, br"])
    #expect(fields([own], forFirstHost: false) == Self.constant)
  }

  @Test func `no coding is offered where none can be undone`() {
    #expect(fields([], offersCodings: false) == ["User-Agent: Tester/1"])
    #expect(fields(["Accept-Encoding: br"], offersCodings: false).first == "Accept-Encoding: br")
  }

  @Test(arguments: ["a\r\nX-Key: 1", "a\n", "\0"])
  func `nothing but a line of its own can be said`(text: String) {
    var configuration = Downloader.Configuration()
    #expect(configuration.validate() == nil)
    configuration.userAgent = text
    #expect(configuration.validate() != nil)
    configuration.userAgent = "a"
    configuration.headers = ["X-Key: \(text)"]
    #expect(configuration.validate() != nil)
  }
}
