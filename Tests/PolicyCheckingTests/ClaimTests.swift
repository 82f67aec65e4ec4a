import AttachmentModel
import PolicyChecking
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClaimTests {
  @Test(
    arguments: [
      (.mp3, "a.m4a"), (.mp3, "a.aac"), (.mp3, "a.mp4"), (.mp3, "a.jpg"), (.mp3, "a.wav"),
      (.aacADTS, "a.mp3"), (.aacADTS, "a.m4a"), (.m4aAAC, "a.mp3"), (.m4aALAC, "a.mp3"),
      (.m4aAAC, "a.aac"), (.gif, "a.mp4"), (.mp4Video, "a.gif"), (.mp4Video, "a.m4a"),
      (.mp4Video, "a.avi"), (.jpeg, "a.mp3"), (.jpeg, "a.pdf"), (.png, "a.html"),
    ] as [(MediaFormat, String)]
  )
  func `a name that would mislead the decoder is a violation`(
    format: MediaFormat,
    name: String
  ) throws {
    let findings = Evidence(format, as: name).findings()
    #expect(findings.violationCodes == ["mislabelled"])
    #expect(!findings.warningCodes.contains("extension"))
    let violation = try #require(findings.violations.first)
    let right = try #require(format.type?.filenameExtensions.first)
    #expect(violation.unError == 101)
    #expect(violation.remedy == "name it .\(right)")
  }

  @Test(
    arguments: [
      (.png, "a.jpg"), (.jpeg, "a.png"), (.gif, "a.webp"), (.m4aAAC, "a.mp4"),
      (.m4aALAC, "a.mp4"), (.m4aAAC, "a.mov"), (.mp4Video, "a.mov"), (.mp4Video, "a.3gp"),
      (.jpeg, "a.x"), (.jpeg, "a.php"), (.jpeg, "a"), (.mp3, "https://a.example/?x=y.mp3"),
    ] as [(MediaFormat, String)]
  )
  func `a name in the same class, or none, is a warning`(
    format: MediaFormat,
    name: String
  ) throws {
    let findings = Evidence(format, as: name).findings()
    #expect(findings.violations == [])
    #expect(findings.warningCodes == ["extension"])
    let right = try #require(format.type?.filenameExtensions.first)
    #expect(findings.warnings.first?.remedy == "name it .\(right)")
  }

  @Test(
    arguments: [
      (.jpeg, "a.JPG"), (.jpeg, "a.jpeg"), (.png, "a.apng"), (.apng, "a.png"), (.m4aAAC, "a.m4b"),
      (.m4aALAC, "a.m4a"), (.mp4Video, "a.m4v"), (.jpeg, "https://a.example/b.jpg?c=d.png"),
    ] as [(MediaFormat, String)]
  )
  func `a right name is no finding`(format: MediaFormat, name: String) {
    #expect(Evidence(format, as: name).findings() == PolicyFindings())
  }

  @Test(
    arguments: [
      (.png, "a.mp4", "public.png"), (.png, "a", "public.png"), (.mp3, "a.m4a", "public.mp3"),
      (.jpeg, "a.php", "PUBLIC.JPEG"), (.jpeg, "a", "public.image"),
      (.m4aAAC, "a.mp3", "com.apple.m4a-audio"), (.mp4Video, "a", "public.audiovisual-content"),
    ] as [(MediaFormat, String, String)]
  )
  func `a valid type hint goes before the extension`(
    format: MediaFormat,
    name: String,
    hint: String
  ) {
    #expect(Evidence(format, as: name).hinted(hint).findings() == PolicyFindings())
  }

  @Test(
    arguments: [
      (.png, "public.mpeg-4", "public.png"), (.mp3, "public.mpeg-4-audio", "public.mp3"),
      (.mp4Video, "public.image", "public.mpeg-4"),
    ] as [(MediaFormat, String, String)]
  )
  func `a wrong type hint misleads even behind a right name`(
    format: MediaFormat,
    hint: String,
    right: String
  ) {
    let findings = Evidence(format).hinted(hint).findings()
    #expect(findings.violationCodes == ["mislabelled"])
    #expect(findings.violations.first?.remedy == "state the type hint \(right)")
  }

  @Test(arguments: ["image/png", "png", "com.example.unheard-of", " public.png", "public.data"])
  func `a hint that names no known format is passed over with a warning`(hint: String) throws {
    let findings = Evidence(.png).hinted(hint).findings()
    #expect(findings.violations == [])
    let warning = try #require(findings.first(.filenameExtension))
    #expect(
      warning.message.hasPrefix("type hint \(hint) is no uniform type identifier of a known format")
    )
    #expect(warning.actual == .text(hint))
    #expect(warning.remedy == "state the type hint public.png")
    #expect(Evidence(.png, as: "a.mp4").hinted(hint).findings().violationCodes == ["mislabelled"])
  }

  @Test func `an empty hint is none`() {
    #expect(Evidence(.png).hinted("").findings() == PolicyFindings())
  }

  @Test
  func `a format that is refused is not mislabelled besides`() {
    #expect(Evidence(.webp, as: "a.mp4").findings().violationCodes == ["unsupported-type"])
    #expect(Evidence(.html, as: "a.png").findings().violationCodes == ["unsupported-type"])
  }

  @Test(
    arguments: [
      (.png, "upload.jpg", "image/jpeg"), (.gif, "upload.mp4", "video/mp4"),
      (.m4aAAC, "upload.mp4", "video/mp4"), (.mp3, "upload.m4a", "audio/mp4"),
    ] as [(MediaFormat, String, String)]
  )
  func `of bytes without a name the media type is spoken of, and no extension`(
    format: MediaFormat,
    name: String,
    type: String
  ) throws {
    let findings = Evidence(format, as: name).changed { $0.reference.announcedType = type }
      .findings()
    #expect(findings.violations == [])
    #expect(findings.warningCodes == ["declared-type"])
    let finding = try #require(findings.warnings.first)
    #expect(finding.message.hasPrefix("Content-Type \(type) does not name the content"))
    #expect(finding.actual == .text(type))
    let right = try #require(format.type?.mimeType)
    #expect(finding.remedy == "send Content-Type: \(right)")
  }

  @Test(
    arguments: [
      (.jpeg, "image/jpeg", false), (.jpeg, "image/jpg", false), (.apng, "image/png", false),
      (.mp3, "audio/mp3", false), (.m4aAAC, "audio/x-m4a", false), (.jpeg, nil, false),
      (.jpeg, "image/png", true), (.jpeg, "text/plain", true), (.jpeg, "text/html", true),
      (.mp3, "application/octet-stream", true), (.m4aAAC, "audio/aac", true),
    ] as [(MediaFormat, String?, Bool)]
  )
  func `a declared type is a warning where it names something else`(
    format: MediaFormat,
    declared: String?,
    isWarned: Bool
  ) {
    let findings = Evidence(format).fetched { $0.declaredType = declared }.findings()
    #expect(findings.violations == [])
    #expect(findings.warningCodes == (isWarned ? ["declared-type"] : []))
  }

  @Test
  func `the right declared type is the remedy`() {
    let findings = Evidence(.png).fetched { $0.declaredType = "image/jpeg" }.findings()
    #expect(findings.warnings.first?.remedy == "send Content-Type: image/png")
  }

  @Test
  func `a redirect to http is insecure too`() {
    let source = "https://media.example/a.jpg"
    let secure = Evidence(.jpeg, as: source).fetched(source)
    #expect(secure.findings() == PolicyFindings())
    let redirected = Evidence(.jpeg, as: source).fetched("HTTP://media.example/a.jpg")
    #expect(redirected.findings().warningCodes == ["insecure-url"])
    let blank = Evidence(.jpeg, as: " http://media.example/a.jpg ")
      .fetched("http://media.example/a.jpg").findings()
    #expect(blank.warningCodes == ["insecure-url"])
    #expect(blank.warnings.first?.message.contains("redirect") == false)
  }
}
