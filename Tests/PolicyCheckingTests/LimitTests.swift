import AttachmentModel
import PolicyChecking
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
  @Test(
    arguments: [
      ("push", .jpeg, 50_000_000), ("push", .mp3, 50_000_000), ("push", .mp4Video, 50_000_000),
      ("apple", .jpeg, 10_000_000), ("apple", .m4aAAC, 5_000_000),
      ("apple", .mp4Video, 50_000_000), ("fcm-android", .png, 1_048_576),
      ("windows-toast", .png, 3_000_000), ("huawei", .jpeg, 511_999), ("honor", .jpeg, 100_000),
      ("whatsapp", .png, 5_000_000), ("whatsapp", .mp3, 16_000_000), ("mms", .gif, 2_000_000),
      ("mms", .mp3, 600_000),
    ] as [(String, MediaFormat, Int64)]
  )
  func `exactly the limit passes, one byte more does not`(
    policy: String,
    format: MediaFormat,
    limit: Int64
  ) throws {
    #expect(Evidence(format, size: limit).findings(policy).violations == [])
    let findings = Evidence(format, size: limit + 1).findings(policy)
    #expect(findings.violationCodes == ["too-large"])
    let violation = try #require(findings.violations.first)
    #expect(violation.limit == .number(limit))
    #expect(violation.actual == .number(limit + 1))
    #expect(violation.unError == 102)
  }

  @Test
  func `the message names value and limit`() throws {
    let findings = Evidence(.jpeg, size: 12_410_233).findings("apple")
    let violation = try #require(findings.violations.first)
    #expect(
      violation.message == "image is 12,410,233 bytes; the limit for images is 10,000,000 bytes"
    )
    #expect(violation.remedy == "send a preview instead: a picture of at most 300 kB")
  }

  @Test(
    arguments: [
      ("honor", "100 kB"), ("huawei", "300 kB"), ("fcm-android", "300 kB"),
    ]
  )
  func `the preview that is advised is one that the policy takes`(
    policy: String,
    size: String
  ) throws {
    let remedy = Evidence(.jpeg, size: 12_410_233).findings(policy).violations.first?.remedy
    #expect(try #require(remedy).hasSuffix("preview instead: a picture of at most \(size)"))
  }

  @Test
  func `what apple would refuse for its size is a warning of push`() throws {
    #expect(Evidence(.jpeg, size: 10_000_000).findings().warnings == [])
    let findings = Evidence(.jpeg, size: 10_000_001).findings()
    #expect(findings.violations == [])
    let warning = try #require(findings.first(.platformLimit))
    #expect(warning.limit == .number(10_000_000))
    #expect(warning.actual == .number(10_000_001))
    #expect(warning.unError == 102)
  }

  @Test
  func `what push refuses itself needs no second word about the platform`() {
    #expect(Evidence(.jpeg, size: 50_000_001).findings().first(.platformLimit) == nil)
  }

  @Test
  func `raw AAC is refused by apple and named by push`() throws {
    #expect(Evidence(.aacADTS).findings("apple").violationCodes == ["unsupported-type"])
    let findings = Evidence(.aacADTS).findings()
    #expect(findings.violations == [])
    #expect(findings.warningCodes == ["platform-limit", "adts"])
    #expect(findings.first(.platformLimit)?.unError == 101)
  }

  @Test
  func `a frame may have 100 megapixels and not one more`() {
    func image(_ width: Int, _ height: Int) -> PolicyFindings {
      Evidence(.png).inspected {
        $0.width = width
        $0.height = height
      }.findings()
    }
    #expect(image(10_000, 10_000).violations == [])
    #expect(image(10_001, 10_000).violationCodes == ["too-many-pixels"])
    #expect(image(65_536, 65_536).violations.first?.actual == .number(4_294_967_296))
    #expect(image(.max, .max).violations.first?.actual == .number(.max))
  }

  @Test
  func `frames of an animation count one by one against the pixels, not together`() {
    let gif = Evidence(.gif).inspected {
      $0.width = 1_375
      $0.height = 825
      $0.frames = 850
    }
    #expect(gif.findings().violations == [])
    #expect(gif.findings().warningCodes == ["animated", "memory"])
  }

  @Test
  func `memory is a warning from 20 megabytes on`() throws {
    func image(_ width: Int, frames: Int = 1) -> PolicyFindings {
      Evidence(.gif).inspected {
        $0.width = width
        $0.height = 1_000
        $0.frames = frames
      }
      .findings()
    }
    #expect(image(4_999).warnings == [])
    let warning = try #require(image(5_000).first(.memory))
    #expect(warning.actual == .number(20_000_000))
    #expect(warning.limit == .number(24_000_000))
    #expect(image(500, frames: 10).first(.memory) != nil)
  }

  @Test(arguments: [(10, true), (11, false)])
  func `frames are limited where a policy says so`(frames: Int, isFine: Bool) throws {
    let policy = try #require(
      AttachmentPolicy.read(
        """
        {"name": "few", "title": "t", "summary": "s", "sources": [],
         "formats": {"gif": {"max_bytes": 1000000, "max_frames": 10}}}
        """
      )
    )
    let findings = Evidence(.gif).inspected { $0.frames = frames }.findings(under: policy)
    #expect(findings.violations.isEmpty == isFine)
    #expect(isFine || findings.violations.first?.limit == .number(10))
  }

  @Test(arguments: [(5_000_000, true), (5_000_001, false), (5_001_000, false)] as [(Int64, Bool)])
  func `playing time is limited where a policy says so`(time: Int64, isFine: Bool) throws {
    let policy = try #require(
      AttachmentPolicy.read(
        """
        {"name": "short", "title": "t", "summary": "s", "sources": [],
         "formats": {"mp3": {"max_bytes": 1000000, "max_duration_ms": 5000}}}
        """
      )
    )
    let findings = Evidence(.mp3).inspected { $0.duration = .microseconds(time) }
      .findings(under: policy)
    #expect(findings.violations.isEmpty == isFine)
    #expect(isFine || findings.violations.first?.message == "audio plays 5.001 s; the limit is 5 s")
    #expect(isFine || findings.violations.first?.remedy == "cut it to at most 5 s")
  }

  @Test(
    arguments: [
      ("h264", "aac", []), ("mpeg4", "mp3", []), ("hevc", "alac", []), ("h264", nil, []),
      ("av1", "aac", ["video-codec"]), ("h264", "opus", ["audio-codec"]),
      ("vp9", "opus", ["video-codec", "audio-codec"]), ("png", nil, ["video-codec"]),
    ] as [(String, String?, [String])]
  )
  func `codecs are judged by the list`(video: String, audio: String?, codes: [String]) {
    let movie = Evidence(.mp4Video).inspected {
      $0.videoCodec = video
      $0.audioCodec = audio
    }
    #expect(movie.findings().violationCodes == codes)
  }

  @Test
  func `the codec of an encrypted track is not judged`() {
    let movie = Evidence(.mp4Video).inspected { $0.videoCodec = "encv" }.found(.encrypted)
    #expect(movie.findings().violationCodes == ["encrypted"])
  }

  @Test(arguments: ["opus", "mp4als", "mp3"])
  func `MPEG-4 sound in another codec fails for its codec, not its type`(codec: String) throws {
    let findings = Evidence.foreignAudio(codec).findings()
    let violation = try #require(findings.violations.first)
    #expect(findings.violationCodes == ["audio-codec"])
    #expect(violation.actual == .text(codec))
    #expect(violation.remedy == "re-encode the audio as AAC")
  }

  @Test
  func `MPEG-4 sound fails for its type where no MPEG-4 sound is accepted`() {
    #expect(
      Evidence.foreignAudio("opus").findings("fcm-android").violationCodes == ["unsupported-type"]
    )
  }
}
