import AttachmentModel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AttachmentReferenceTests {
  @Test(arguments: [
    "http://a/b", "HTTPS://a", "ftp://a", "x+y.z-1://a", "file:///a",
  ])
  func `what has a scheme is an address`(source: String) {
    #expect(AttachmentReference(source: source).location == .remote(source))
  }

  @Test(arguments: [" https://a/b.jpg", "https://a/b.jpg \t", "\t https://a/b.jpg\n"])
  func `white space around an address is no part of it`(source: String) {
    let reference = AttachmentReference(source: source)
    #expect(reference.location == .remote(source))
    #expect(reference.filenameExtension == "jpg")
  }

  @Test(arguments: [
    "a.jpg ", " a.jpg", " ", "a.jpg", "/a/b.jpg", "./http:/a", "://a", "1http://a", "a b://c", "",
    "C:\\a",
  ])
  func `everything else is a path`(source: String) {
    #expect(AttachmentReference(source: source).location == .local(source))
  }

  @Test(
    arguments: [
      ("https://a.b/c.JPG", "jpg"), ("https://a.b/c.jpg?x=1.png", "jpg"),
      ("https://a.b/c.jpg#y.png", "jpg"), ("https://a.b", nil), ("https://a.b/", nil),
      ("https://a.b/c", nil), ("https://a.b/c.", nil), ("https://a.b/.jpg", nil),
      ("https://a.b/d.e/c", nil), ("/d.e/c.tar.gz", "gz"), ("a?b.png", "png"), (".hidden", nil),
    ] as [(String, String?)]
  )
  func `the extension is the path's, without query and fragment`(source: String, expected: String?)
  {
    #expect(AttachmentReference(source: source).filenameExtension == expected)
  }
}
