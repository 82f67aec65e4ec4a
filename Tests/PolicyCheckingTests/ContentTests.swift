import AttachmentModel
import PolicyChecking
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContentTests {
  @Test
  func `no body is empty, whatever its name`() {
    let evidence = Evidence(.jpeg, as: "https://a.example/a.jpg")
      .changed { $0.inspection = nil }.fetched { $0.status = 204 }
    let findings = evidence.findings()
    #expect(findings.violationCodes == ["empty"])
    #expect(findings.warnings == [])
  }

  @Test
  func `only what was fetched is asked of an address`() {
    let file = Evidence(.jpeg).changed { $0.inspection = nil }
    let fetched = Evidence(.jpeg, as: "https://a.example/a.jpg")
      .changed { $0.inspection = nil }.fetched { $0.status = 204 }
    #expect(fetched.findings().violations.first?.remedy?.contains("address") == true)
    #expect(file.findings().violations.first?.remedy?.contains("save the file again") == true)
  }

  @Test(arguments: [(15, ["corrupt"]), (16, [])] as [(Int64, [String])])
  func `under 16 bytes are corrupt`(size: Int64, codes: [String]) {
    #expect(Evidence(.gif, size: size).findings().violationCodes == codes)
  }

  @Test
  func `under 16 bytes are corrupt, and truncated too where the structure says so`() {
    #expect(
      Evidence(.m4aAAC, size: 12).found(.truncated).findings().violationCodes
        == ["corrupt", "truncated"]
    )
  }

  @Test
  func `under 16 bytes of a refused type are refused for the type`() {
    #expect(Evidence(.txt, size: 4).findings().violationCodes == ["unsupported-type"])
  }

  @Test
  func `a few unknown bytes are corrupt under any name`() {
    #expect(Evidence.unknown(size: 1, as: "a.x").findings().violationCodes == ["corrupt"])
  }

  @Test
  func `unknown bytes behind an accepted type hint are corrupt`() {
    let evidence = Evidence.unknown(as: "a").hinted("public.jpeg")
    #expect(evidence.findings().violationCodes == ["corrupt"])
  }

  @Test
  func `a named thing of no format is refused by its name`() throws {
    let evidence = Evidence.unknown(as: "a.mp3").inspected { $0.contentName = "a PHP script" }
    let violation = try #require(evidence.findings().violations.first)
    #expect(violation.code == .unsupportedType)
    #expect(violation.message == "content is a PHP script, which push does not accept")
    #expect(violation.actual == .text("a PHP script"))
  }

  @Test
  func `MPEG-4 cut before its tracks is truncated and nothing else`() {
    let evidence = Evidence.unknown(as: "a.mp4").inspected { $0.isMPEG4 = true }.found(.truncated)
    #expect(evidence.findings().violationCodes == ["truncated"])
    #expect(evidence.findings("honor").violationCodes == ["unsupported-type", "truncated"])
  }

  @Test
  func `what a decoder says of a cut file is no second fault`() {
    #expect(Evidence(.jpeg).found(.truncated).damaged().findings().violationCodes == ["truncated"])
    let whole = Evidence(.jpeg).changed {
      $0.examination = ImageExamination(
        decoding: .whole,
        previews: [],
        decodeTime: .zero,
        previewTime: .zero
      )
    }
    #expect(whole.findings() == PolicyFindings())
  }

  @Test
  func `structure speaks before the decoder`() {
    let findings = Evidence(.png).found(.corrupt, "CRC of IDAT is wrong").damaged().findings()
    #expect(findings.violations.map(\.message) == ["CRC of IDAT is wrong"])
  }

  @Test
  func `all that holds is listed in the order of precedence`() {
    var evidence = Evidence(.mp4Video, size: 50_000_001, as: "a.jpg")
    evidence = evidence.inspected {
      $0.videoCodec = "av1"
      $0.audioCodec = "opus"
    }
    for kind in StructureFinding.Kind.allCases.reversed() where kind != .encrypted {
      evidence = evidence.found(kind)
    }
    #expect(
      evidence.findings().violationCodes == [
        "corrupt", "truncated", "unsupported-variant", "no-media", "polyglot", "too-large",
        "video-codec", "audio-codec", "mislabelled",
      ]
    )
    #expect(
      evidence.findings().warningCodes == [
        "not-streamable", "hev1", "last-frame-cut", "trailing-data", "metadata-location",
      ]
    )
  }

  @Test
  func `a refused file has its other faults listed behind`() {
    let evidence = Evidence(.webp, size: 50_000_001).found(.truncated)
    #expect(
      evidence.findings().violationCodes == ["unsupported-type", "truncated", "too-large"]
    )
  }

  @Test(arguments: [MediaFormat.webp, .heic, .avif, .tiff])
  func `a refused image that can be decoded has its preview as the remedy`(_ format: MediaFormat) {
    #expect(
      Evidence(format).findings().violations.first?.remedy
        == "send a preview instead: a picture of at most 300 kB"
    )
  }

  @Test(
    arguments: [
      (.svg, "export it as a JPEG"), (.mov, "convert it to an MPEG-4 video"),
      (.threeGP, "convert it to an MPEG-4 video"),
      (.flac, "convert it to an M4A with AAC"),
      (.html, "use the address of the media file, not of a page"),
    ] as [(MediaFormat, String)]
  )
  func `a refused file has the nearest format as the remedy`(format: MediaFormat, remedy: String) {
    #expect(Evidence(format).findings().violations.first?.remedy == remedy)
  }

  @Test(
    arguments: [
      ("h264", "aac", true), ("hevc", nil, true), ("h264", "pcm", false), ("prores", "aac", false),
      (nil, "aac", false),
    ] as [(String?, String?, Bool)]
  )
  func `streams that only sit in the wrong container need no encoding`(
    video: String?,
    audio: String?,
    isWrapping: Bool
  ) {
    let evidence = Evidence(.mov).inspected {
      $0.videoCodec = video
      $0.audioCodec = audio
    }
    #expect(
      evidence.findings().violations.first?.remedy
        == (isWrapping
          ? "put its tracks into an MPEG-4 file (.mp4), which needs no encoding"
          : "convert it to an MPEG-4 video")
    )
    #expect(
      evidence.findings("mms").violations.first?.remedy == "convert it to an MPEG-4 video"
    )
  }

  @Test
  func `raw AAC that is refused goes into an M4A`() {
    #expect(
      Evidence(.aacADTS).findings("apple").violations.first?.remedy
        == "put the AAC into an M4A, which needs no encoding"
    )
    #expect(
      Evidence(.aacADTS).findings("huawei").violations.first?.remedy == "send one of: jpeg, png"
    )
  }

  @Test
  func `the bytes to strip are counted where the finding counts them`() {
    let findings = Evidence(.jpeg).found(.trailingData, "2,772 bytes behind the image").findings()
    #expect(
      findings.warnings.first?.remedy == "strip the 2,772 bytes behind the image's end"
    )
  }

  @Test
  func `an announced size is judged without any byte`() throws {
    let evidence = Evidence(.jpeg, as: "https://a.example/a.jpg")
      .changed { $0.inspection = nil }
      .fetched {
        $0.announcedSize = ByteCount(60_000_000)
        $0.earlyEnd = EarlyEnd(.announcedTooLarge, limit: .megabytes(50))
      }
    let findings = evidence.findings()
    let violation = try #require(findings.violations.first)
    #expect(findings.violationCodes == ["too-large"])
    #expect(violation.actual == .number(60_000_000))
    #expect(violation.limit == .number(50_000_000))
  }

  @Test
  func `of a stopped transfer no structure is judged`() throws {
    let evidence = Evidence(.jpeg, size: 4_096, as: "https://a.example/a.jpg")
      .found(.truncated)
      .inspected {
        $0.width = 99_999
        $0.height = 99_999
      }
      .fetched {
        $0.receivedBytes = ByteCount(50_000_001)
        $0.earlyEnd = EarlyEnd(.tooLarge, limit: .megabytes(50))
      }
    let findings = evidence.findings()
    #expect(findings.violationCodes == ["too-large"])
    #expect(findings.violations.first?.actual == .number(50_000_001))
    #expect(findings.warnings == [])
    #expect(evidence.findings("apple").violations.first?.limit == .number(10_000_000))
  }

  @Test
  func `unknown first bytes of a stopped transfer are no fault`() {
    let evidence = Evidence.unknown(as: "https://a.example/a").fetched {
      $0.receivedBytes = ByteCount(50_000_001)
      $0.earlyEnd = EarlyEnd(.tooLarge, limit: .megabytes(50))
    }
    #expect(evidence.findings().violationCodes == ["too-large"])
  }

  @Test
  func `a body stopped at another policy's limit is held against one's own`() {
    let evidence = Evidence(.jpeg, as: "https://a.example/a.jpg")
      .changed { $0.inspection = nil }
      .fetched {
        $0.announcedSize = ByteCount(60_000_000)
        $0.earlyEnd = EarlyEnd(.announcedTooLarge, limit: .megabytes(50))
      }
    #expect(evidence.findings("honor").violations.first?.limit == .number(100_000))
  }

  @Test
  func `foreign words keep to one line and to a length`() throws {
    let name = "a.x\n\u{1b}[31m" + String(repeating: "y", count: 5_000)
    let warning = try #require(Evidence(.jpeg, as: name).findings().warnings.first)
    #expect(warning.message.count < 200)
    #expect(warning.message.unicodeScalars.allSatisfy { $0.value >= 32 })
    let long = Evidence(.png).damaged(String(repeating: "z", count: 5_000)).findings()
    #expect((long.violations.first?.message.count ?? .max) < 200)
  }
}
