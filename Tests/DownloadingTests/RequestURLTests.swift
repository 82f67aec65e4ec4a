import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestURLTests {
  @Test(arguments: [
    ("http://example.com/a.jpg", "http://example.com/a.jpg"),
    ("  https://EXAMPLE.com/A  ", "https://example.com/A"),
    ("https://example.com/a b.jpg", "https://example.com/a%20b.jpg"),
    ("https://example.com/\u{fc}.jpg?q=\u{fc}", "https://example.com/%C3%BC.jpg?q=%C3%BC"),
    ("https:\\\\example.com\\a\\b", "https://example.com/a/b"),
    ("https://example.com/a?b=\\c", "https://example.com/a?b=\\c"),
    ("https://example.com/a#fragment", "https://example.com/a"),
    ("https://m\u{fc}nchen.example/a", "https://xn--mnchen-3ya.example/a"),
    ("http://%65xample.com/", "http://example.com/"),
    ("https://example.com", "https://example.com/"),
    ("https://user:secret@example.com/a", "https://example.com/a"),
    ("http://example.com:8080/a/../b", "http://example.com:8080/b"),
    ("https://example.com/a?", "https://example.com/a?"),
    ("https://example.com?", "https://example.com/?"),
    ("https://example.com/a b?#c", "https://example.com/a%20b?"),
    ("https://user:pw@example.com/a?", "https://example.com/a?"),
    ("https://example.com/a??", "https://example.com/a??"),
    ("https://example.com/a#?", "https://example.com/a"),
    ("https://example.com/%zz{x}", "https://example.com/%zz%7Bx%7D"),
  ])
  func `an address is brought into one form`(given: String, shown: String) throws {
    #expect(try RequestURL(given).shown == shown)
  }

  @Test(arguments: [
    ("http://2130706433/", "127.0.0.1"), ("http://0x7f.1/", "127.0.0.1"),
    ("http://0177.0.0.1/", "127.0.0.1"), ("http://[::1]/", "[::1]"),
    ("http://127.0.0.1./", "127.0.0.1"), ("http://example.com./", "example.com."),
    ("http://example.0xg/", "example.0xg"),
  ])
  func `numeric hosts show what they are`(given: String, host: String) throws {
    #expect(try RequestURL(given).host == host)
  }

  @Test(arguments: [
    "", "   ", "http://", "http:///", "https://?q", "http://exa mple.com/", "http://a\u{0}b/",
    "http://example.com/\n/", "http://example.com:0x50/", "http://example.com:70000/",
    "http://a@b@example.com/", "http://[::1/", "http://[fe80::1%25eth0]/",
    "http://ex<ample.com/", "http://.example.com/", "http://example.com\u{7f}/",
    "http://256.0.0.1/", "http://1.2.3.4.5/", "http://example.1/", "http://a.0xff./",
    "http://1.2.3.09/",
  ])
  func `what is ambiguous or broken is refused`(given: String) {
    #expect(code(of: given) == .invalidURL)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://example.com/", "javascript:alert(1)", "data:,x"])
  func `other schemes are refused`(given: String) {
    #expect(code(of: given) == .unsupportedScheme)
  }

  @Test(arguments: [
    ("/b.png", "https://example.com/b.png"),
    ("b.png", "https://example.com/folder/b.png"),
    ("../b c.png", "https://example.com/b%20c.png"),
    ("%2E%2e/b.png", "https://example.com/b.png"), ("/a/.%2e/b.png", "https://example.com/b.png"),
    ("/a/%2e/b.png", "https://example.com/a/b.png"),
    ("/%2ea/%2e%2e%2e", "https://example.com/%2ea/%2e%2e%2e"),
    ("b.png?/%2e%2e/", "https://example.com/folder/b.png?/%2e%2e/"),
    ("//other.example/b", "https://other.example/b"),
    ("?q=1", "https://example.com/folder/a.jpg?q=1"),
    ("https://other.example\\b", "https://other.example/b"),
    ("https:/b.png", "https://example.com/b.png"), ("HTTPS:\\b.png", "https://example.com/b.png"),
    ("https:b.png", "https://example.com/folder/b.png"),
    ("https:?q=1", "https://example.com/folder/a.jpg?q=1"),
    ("https:http://other.example/", "https://example.com/folder/http://other.example/"),
    ("https:\\/other.example/b", "https://other.example/b"),
    ("http:/other.example/b", "http://other.example/b"),
    ("https:%2e%2E/b.png", "https://example.com/b.png"),
    ("https:%2e/b.png", "https://example.com/folder/b.png"),
    ("https:.%2e/%2e%2e/b.png?%2e%2e", "https://example.com/b.png?%2e%2e"),
    ("https:%2e%2eb", "https://example.com/folder/%2e%2eb"),
    ("?", "https://example.com/folder/a.jpg?"), ("b.png?", "https://example.com/folder/b.png?"),
    ("https:?", "https://example.com/folder/a.jpg?"), ("/b?#top", "https://example.com/b?"),
    ("#top", "https://example.com/folder/a.jpg"),
    ("https:#top", "https://example.com/folder/a.jpg"),
  ])
  func `a Location is resolved as a browser would`(location: String, shown: String) throws {
    let base = try RequestURL("https://user:pw@example.com/folder/a.jpg")
    #expect(try base.following(Array(location.utf8)).shown == shown)
  }

  @Test(arguments: [
    ("#top", "https://example.com/a?"), ("/b", "https://example.com/b"),
    ("b?c", "https://example.com/b?c"),
  ])
  func `a Location is resolved against an address with an empty query`(
    location: String,
    shown: String
  ) throws {
    let base = try RequestURL("https://example.com/a?")
    #expect(try base.following(Array(location.utf8)).shown == shown)
  }

  @Test(
    arguments: [
      "example.com", "a.b-c.example", "127.0.0.1", "10.0.0.255", "example.com:8443", "x:80",
      "x:443",
      "1.2.3.04", "1.2.3", "0x7f.1", "1.example", "example.1", "example.com.",
      "xn--mnchen-3ya.example",
      "exa_mple.com", "EXAMPLE.com", "example.com:080", "example.com:0", "example.com:65536",
      "example.com:", "a..b", "-a.example-", "256.1.1.1",
      "\(String(repeating: "a", count: 64)).example",
    ],
    [
      "", "/", "/a.jpg", "/a/b.c/d?e=f&g=%2f", "/a/../b", "/./a", "/a/%2e%2e/b", "/a/.hidden",
      "//a",
      "/a..b/c.", "/?q=/../x", "?q=1", "/a%zz", "/a;b,c=d!$'()*+~_-", "/a[1]", "/a#b", "/a|b",
      "/a b", "/?", "/a.jpg?", "/a??", "/a?b?",
    ]
  )
  func `a short way of reading leads where the long one does`(host: String, tail: String) throws {
    let base = try RequestURL("https://other.example/")
    for scheme in ["http", "https"] {
      let address = "\(scheme)://\(host)\(tail)"
      #expect((try? RequestURL(address)) == (try? base.following(Array(address.utf8))))
    }
  }

  @Test func `bytes that are no UTF-8 are encoded one by one`() throws {
    let base = try RequestURL("https://example.com/")
    #expect(try base.following([0x2f, 0xe9]).shown == "https://example.com/%E9")
  }

  private func code(of given: String) -> DownloadError.Code? {
    do throws(DownloadError) {
      _ = try RequestURL(given)
      return nil
    } catch {
      return error.code
    }
  }
}
