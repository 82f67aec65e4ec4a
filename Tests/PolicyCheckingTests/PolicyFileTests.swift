import AttachmentModel
import PolicyChecking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PolicyFileTests {
  @Test(arguments: AttachmentPolicy.builtInNames)
  func `a built-in policy loads under its name and is printed as it is kept`(
    name: String
  ) throws {
    let policy = try #require(AttachmentPolicy.builtIn(name))
    #expect(policy.name == name)
    #expect(!policy.sources.isEmpty)
    let printed = policy.json
    #expect(try AttachmentPolicy(json: printed) == policy)
    #expect(try AttachmentPolicy(json: printed).json == printed)
    let kept = File.bytes("Sources/PolicyChecking/Policies/\(name).json")
    #expect(String(decoding: printed, as: UTF8.self) == String(decoding: kept, as: UTF8.self))
  }

  @Test
  func `there is no policy of an unknown name`() {
    #expect(AttachmentPolicy.builtIn("pager") == nil)
  }

  @Test
  func `push and apple accept what the contract says`() throws {
    let push = try #require(AttachmentPolicy.builtIn("push"))
    #expect(
      push.acceptedFormats == [
        .jpeg, .png, .apng, .gif, .mp4Video, .m4aAAC, .m4aALAC, .aacADTS, .mp3,
      ]
    )
    #expect(push.largestSize == .megabytes(50))
    #expect(push.limits(for: .png)?.maxPixels == 100_000_000)
    #expect(push.limits(for: .webp) == nil)
    let apple = try #require(AttachmentPolicy.builtIn("apple"))
    #expect(apple.accepts(.avi) && apple.accepts(.mpeg) && apple.accepts(.wav))
    #expect(apple.accepts(.aiff) && !apple.accepts(.aacADTS) && !apple.accepts(.mov))
    #expect(apple.largestSize == .megabytes(50))
  }

  @Test
  func `everything a policy can say survives printing`() throws {
    let policy = try #require(
      AttachmentPolicy.read(
        """
        {"name": "all-2", "title": "a \\"quoted\\" title\\u0001\\n", "summary": "\\\\ é 😀",
         "sources": ["one", "two"], "platform": "push",
         "kinds": {"movie": {"max_bytes": 9223372036854775807, "max_duration_ms": 1500,
                             "video_codecs": ["h264"], "audio_codecs": []},
                   "image": {"max_pixels": 1, "max_frames": 2, "memory_bytes": 3}},
         "formats": {"mp4-video": {}, "gif": {"max_bytes": 4}}}
        """
      )
    )
    #expect(try AttachmentPolicy(json: policy.json) == policy)
    #expect(policy.limits(for: .gif)?.maxBytes == ByteCount(4))
    #expect(policy.limits(for: .gif)?.maxFrames == 2)
    #expect(policy.limits(for: .mp4Video)?.maxDuration == .milliseconds(1_500))
  }

  static func text(
    name: String = "\"x\"",
    more: String = "",
    kinds: String = "{}",
    formats: String = #"{"jpeg": {"max_bytes": 1}}"#
  ) -> String {
    """
    {"name": \(name), "title": "t", "summary": "s", "sources": []\(more), "kinds": \(kinds),
     "formats": \(formats)}
    """
  }

  @Test
  func `the text that the next test spoils is a policy`() {
    #expect(AttachmentPolicy.read(Self.text()) != nil)
  }

  @Test(
    arguments: [
      ("", .malformed), ("{", .malformed), ("[]", .wrongType), ("null", .wrongType),
      ("{}", .missingKey), (#"{"name": "x"}"#, .missingKey),
      (text(name: "1"), .wrongType), (text(name: "\"\""), .invalidValue),
      (text(name: "\"A b\""), .invalidValue), (text(more: #", "limit": 1"#), .unknownKey),
      (text(more: #", "platform": "pager""#), .unknownPolicy),
      (text(more: #", "platform": null"#), .wrongType),
      (text(kinds: "[]"), .wrongType), (text(kinds: #"{"text": {}}"#), .unknownKind),
      (text(kinds: #"{"image": {"max_byte": 1}}"#), .unknownKey),
      (text(kinds: #"{"image": {"max_pixels": -1}}"#), .invalidValue),
      (text(kinds: #"{"image": {"max_pixels": 0}}"#), .invalidValue),
      (text(kinds: #"{"image": {"max_pixels": 1.5}}"#), .invalidValue),
      (text(kinds: #"{"image": {"max_pixels": 1e30}}"#), .invalidValue),
      (text(kinds: #"{"image": {"max_pixels": "1"}}"#), .wrongType),
      (text(kinds: #"{"image": {"max_pixels": true}}"#), .wrongType),
      (text(kinds: #"{"movie": {"video_codecs": "h264"}}"#), .wrongType),
      (text(kinds: #"{"movie": {"video_codecs": ["H264"]}}"#), .invalidValue),
      (text(kinds: #"{"movie": {"video_codecs": ["av1", "av1"]}}"#), .invalidValue),
      (text(kinds: #"{"movie": {"video_codecs": [1]}}"#), .wrongType),
      (text(formats: "{}"), .invalidValue), (text(formats: #"["jpeg"]"#), .wrongType),
      (text(formats: #"{"jpg": {"max_bytes": 1}}"#), .unknownFormat),
      (text(formats: #"{"svg": {"max_bytes": 1}}"#), .uncheckedFormat),
      (text(formats: #"{"other": {"max_bytes": 1}}"#), .uncheckedFormat),
      (text(formats: #"{"flac": {"max_bytes": 1}}"#), .uncheckedFormat),
    ] as [(String, PolicyError.Code)]
  )
  func `a file that is no policy is refused for its reason`(
    text: String,
    code: PolicyError.Code
  ) throws {
    let error = #expect(throws: PolicyError.self) {
      try AttachmentPolicy(json: Array(text.utf8))
    }
    #expect(error?.code == code)
    #expect(error?.message.isEmpty == false)
  }

  @Test(
    arguments: [
      ("video_codecs", "avc1", "h264, hevc"), ("video_codecs", "aac", "h264, hevc"),
      ("video_codecs", "H264", "h264, hevc"), ("audio_codecs", "mp4a", "aac, alac"),
      ("video_codecs", "avc", "h264, hevc"), ("video_codecs", "a_truehd", "h264, hevc"),
      ("video_codecs", "V_FFV1", "h264, hevc"), ("audio_codecs", "wave format ", "aac, alac"),
      ("audio_codecs", "pcm_s16", "aac, alac"), ("audio_codecs", "opüs", "aac, alac"),
    ]
  )
  func `a codec that no report names is refused with those that there are`(
    key: String,
    name: String,
    known: String
  ) {
    let text = Self.text(formats: #"{"mp4-video": {"\#(key)": ["\#(name)"]}}"#)
    let error = #expect(throws: PolicyError.self) { try AttachmentPolicy(json: Array(text.utf8)) }
    #expect(error?.code == .invalidValue)
    let words = "formats.mp4-video.\(key) names \"\(name)\", which is unknown; known: \(known), "
    #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "none")")
  }

  @Test(
    arguments: [
      ("video_codecs", "svq3"), ("video_codecs", "dvh."), ("video_codecs", "v_ffv1"),
      ("video_codecs", "unknown"), ("audio_codecs", "mlpa"), ("audio_codecs", "a_pcm/int/lit"),
      ("audio_codecs", "wave format 353"), ("audio_codecs", "mpeg-4 object type 64"),
      ("audio_codecs", "pcm_f16le"), ("audio_codecs", "pcm_s40be"), ("audio_codecs", "unknown"),
    ]
  )
  func `what reports call a codec that they do not know can stand in a policy`(
    key: String,
    name: String
  ) {
    let text = Self.text(formats: #"{"mp4-video": {"\#(key)": ["\#(name)"]}}"#)
    #expect(AttachmentPolicy.read(text) != nil)
  }

  @Test(arguments: ["ISOMediaCodecs", "AVIStructure", "MatroskaStructure"])
  func `a tag that reports give another name can not`(file: String) {
    let source = String(
      decoding: File.bytes("Sources/MediaSniffing/Structure/\(file).swift"),
      as: UTF8.self
    )
    let tags = source.matches(of: /case ("[^:]+): "/).flatMap {
      $0.1.matches(of: /"([A-Za-z0-9-]{4})"/).map(\.1)
    }
    let identifiers = source.matches(of: /"([AV]_[^"]+)": "/).map(\.1)
    let names = Set((tags + identifiers).map { $0.lowercased() })
    let targets = Set(source.matches(of: /: "([a-z0-9_-]+)"/).map { String($0.1) })
    #expect(names.count >= 20)
    let taken = names.subtracting(targets).subtracting(["h263", "opus", "flac"]).filter { name in
      ["video_codecs", "audio_codecs"].contains { key in
        AttachmentPolicy.read(
          Self.text(formats: #"{"mp4-video": {"\#(key)": ["\#(name)"]}}"#)
        ) != nil
      }
    }
    #expect(taken == [])
  }

  @Test(
    arguments: [
      "ISOMediaCodecs", "MatroskaStructure", "RIFFChunks", "AVIStructure", "AIFFStructure",
    ]
  )
  func `every name that a structure check gives a codec can stand in a policy`(file: String) {
    let source = String(
      decoding: File.bytes("Sources/MediaSniffing/Structure/\(file).swift"),
      as: UTF8.self
    )
    let names = Set(source.matches(of: /(?::|return|\?) "([a-z0-9_-]+)"/).map { String($0.1) })
      .subtracting(["unknown", "le", "be"])
    #expect(names.count >= 5)
    let refused = names.filter { name in
      ["video_codecs", "audio_codecs"].allSatisfy { key in
        AttachmentPolicy.read(
          Self.text(formats: #"{"mp4-video": {"\#(key)": ["\#(name)"]}}"#)
        ) == nil
      }
    }
    #expect(refused == [])
  }

  @Test
  func `an error names the place in the file`() {
    let error = #expect(throws: PolicyError.self) {
      try AttachmentPolicy(json: Array(Self.text(kinds: #"{"image": {"max_bytes": -5}}"#).utf8))
    }
    #expect(error?.message == "kinds.image.max_bytes is -5; a limit is 1 or more")
  }

  @Test(
    arguments: [
      ("", "line 1, column 1"), ("{", "line 1, column 2"), ("{} {}", "line 1, column 4"),
      ("{\n  \"é\": tru\n}", "line 2, column 11"), ("{\"a\": 1,\n}", "line 2, column 1"),
      ("{\"a\" 1}", "line 1, column 6"), ("[1 2]", "line 1, column 4"),
      ("[\"a\nb\"]", "line 1, column 4"), ("[\"\\x\"]", "line 1, column 4"),
      ("[\"\\u12g4\"]", "line 1, column 7"), ("[01]", "line 1, column 3"),
      ("[1.]", "line 1, column 4"), ("[-]", "line 1, column 3"), ("[1e+]", "line 1, column 5"),
      ("'a'", "line 1, column 1"), ("{\"a\": \"b", "line 1, column 9"),
    ]
  )
  func `what is no JSON is refused with the line and column`(text: String, place: String) {
    let error = #expect(throws: PolicyError.self) { try AttachmentPolicy(json: Array(text.utf8)) }
    #expect(
      error?.message == "policy is not JSON at \(place); check its brackets, commas and quotes"
    )
  }

  @Test
  func `without a byte limit the usual one holds, on the wire and on the disk`() throws {
    let policy = try #require(AttachmentPolicy.read(Self.text(formats: #"{"jpeg": {}}"#)))
    #expect(policy.largestSize == AttachmentPolicy.usualLimit)
    #expect(policy.limits(for: .jpeg)?.maxBytes == .megabytes(50))
    #expect(policy.formats[.jpeg]?.maxBytes == nil)
    let fits = Evidence(.jpeg, size: 50_000_000).findings(under: policy)
    #expect(fits.violationCodes == [])
    let exceeds = Evidence(.jpeg, size: 50_000_001).findings(under: policy)
    #expect(exceeds.violationCodes == ["too-large"])
    #expect(exceeds.first(.tooLarge)?.limit == .number(50_000_000))
  }

  @Test(
    arguments: [
      (text(more: #", "title": "u""#), "title"),
      (text(kinds: #"{"image": {"max_bytes": 1, "max_\u0062ytes": 2}}"#), "max_bytes"),
    ]
  )
  func `a file that says a thing twice is refused`(text: String, key: String) {
    let error = #expect(throws: PolicyError.self) { try AttachmentPolicy(json: Array(text.utf8)) }
    #expect(error?.code == .malformed)
    #expect(
      error?.message == "policy has \"\(key)\" twice in one object; leave one of them out"
    )
  }

  @Test
  func `a file nested without end is refused`() {
    let depth = 100_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let error = #expect(throws: PolicyError.self) { try AttachmentPolicy(json: Array(text.utf8)) }
    #expect(error?.code == .malformed)
  }
}
