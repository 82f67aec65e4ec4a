import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ISOMediaStructureTests {
  private func inspect(_ builder: MovieBuilder) -> MediaInspection {
    MediaStructure.isoMedia.inspect(builder.bytes)
  }

  @Test func `a whole movie is described and nothing is found wrong`() {
    let inspection = inspect(MovieBuilder())
    #expect(inspection.format == .mp4Video)
    #expect(inspection.kind == .movie)
    #expect(inspection.isMPEG4)
    #expect(inspection.width == 320)
    #expect(inspection.height == 240)
    #expect(inspection.frames == 4)
    #expect(inspection.videoCodec == "h264")
    #expect(inspection.audioCodec == nil)
    #expect(inspection.duration == .milliseconds(2_500))
    #expect(inspection.findings.isEmpty)
  }

  @Test func `one byte less is truncated, and the finding says by how much`() throws {
    let inspection = MediaStructure.isoMedia.inspect(MovieBuilder().bytes.dropLast())
    #expect(inspection.kinds == [.truncated, .truncated])
    let samples = try #require(inspection.findings.last)
    #expect(samples.detail.contains("1 byte beyond the end"))
  }

  @Test func `a movie behind its media data cannot be streamed`() {
    var builder = MovieBuilder()
    builder.order = .mediaDataFirst
    #expect(inspect(builder).kinds == [.notStreamable])
  }

  @Test(arguments: 0..<64)
  func `a movie cut anywhere is damaged`(part: Int) {
    let bytes = MovieBuilder().bytes
    let inspection = MediaStructure.isoMedia.inspect(Array(bytes.prefix(bytes.count * part / 64)))
    #expect(inspection.has(.truncated))
  }

  @Test(
    arguments: [
      ("mp4a", 0x40, 2, MediaFormat.m4aAAC, "aac", nil), ("mp4a", 0x40, 42, .m4aAAC, "aac", nil),
      ("mp4a", 0x67, nil, .m4aAAC, "aac", nil), ("mp4a", 0x40, 36, .other, "als", "ALS"),
      ("mp4a", 0x6B, nil, .other, "mp3", "MP3"), ("alac", 0, nil, .m4aALAC, "alac", nil),
      ("Opus", 0, nil, .other, "opus", "Opus"), ("samr", 0, nil, .other, "amr", "AMR"),
    ] as [(String, UInt8, UInt8?, MediaFormat, String, String?)]
  )
  func `sound alone is named by its codec`(
    type: String,
    objectType: UInt8,
    audioObjectType: UInt8?,
    format: MediaFormat,
    codec: String,
    title: String?
  ) {
    var builder = MovieBuilder()
    builder.handler = "soun"
    let descriptors = MovieBuilder.descriptors(objectType, audioObjectType: audioObjectType)
    builder.entry = .audio(type, extra: objectType == 0 ? [] : descriptors)
    let inspection = inspect(builder)
    #expect(inspection.format == format)
    #expect(inspection.kind == .audio)
    #expect(inspection.isMPEG4)
    #expect(inspection.audioCodec == codec)
    #expect(inspection.contentName == title.map { "MPEG-4 audio with \($0)" })
    #expect(inspection.findings.isEmpty)
  }

  @Test(
    arguments: [
      ("av01", "av1"), ("vp09", "vp9"), ("s263", "h263"), ("jpeg", "mjpeg"), ("WXYZ", "wxyz"),
    ]
  )
  func `video is named by its sample entry`(type: String, codec: String) {
    var builder = MovieBuilder()
    builder.entry = .video(type, configuration: nil)
    #expect(inspect(builder).videoCodec == codec)
    #expect(inspect(builder).format == .mp4Video)
  }

  @Test func `parameter sets in the samples are noticed`() {
    var builder = MovieBuilder()
    builder.entry = .video("hev1", configuration: "hvcC")
    #expect(inspect(builder).videoCodec == "hevc")
    #expect(inspect(builder).kinds == [.hev1])
  }

  @Test func `a video entry without its configuration is corrupt`() {
    var builder = MovieBuilder()
    builder.entry = .video("avc1", configuration: nil)
    #expect(inspect(builder).kinds == [.corrupt])
  }

  @Test func `encrypted samples keep the name of their codec`() {
    var builder = MovieBuilder()
    builder.entry = .encryptedVideo(original: "avc1")
    #expect(inspect(builder).videoCodec == "h264")
    #expect(inspect(builder).kinds == [.encrypted])
  }

  @Test(
    arguments: [
      ("qt  ", MediaFormat.mov, false), ("3gp4", .threeGP, false), ("3g2a", .threeGP, false),
      ("mp42", .mp4Video, true), ("M4V ", .mp4Video, true), (nil, .mp4Video, true),
    ] as [(String?, MediaFormat, Bool)]
  )
  func `the brand decides between the families`(
    brand: String?,
    format: MediaFormat,
    isMPEG4: Bool
  ) {
    var builder = MovieBuilder()
    builder.brand = brand
    #expect(inspect(builder).format == format)
    #expect(inspect(builder).isMPEG4 == isMPEG4)
  }

  @Test func `without a brand a QuickTime handler makes a QuickTime movie`() {
    var builder = MovieBuilder()
    builder.brand = nil
    builder.componentType = Octets.text("mhlr")
    #expect(inspect(builder).format == .mov)
  }

  @Test(
    arguments: [
      ([0, 1, -1, 0], 6), ([-1, 0, 0, -1], 3), ([0, -1, 1, 0], 8), ([1, 0, 0, 1], nil),
    ] as [([Int32], Int?)]
  )
  func `a rotation becomes an orientation`(matrix: [Int32], orientation: Int?) {
    var builder = MovieBuilder()
    builder.matrix = matrix
    #expect(inspect(builder).orientation == orientation)
  }

  @Test func `a movie of text tracks has no media`() {
    var builder = MovieBuilder()
    builder.handler = "text"
    #expect(inspect(builder).kinds == [.noMedia])
  }

  @Test func `a track without samples has no media`() {
    var builder = MovieBuilder()
    builder.sampleSizes = []
    #expect(inspect(builder).kinds == [.noMedia])
  }

  @Test func `cover art is found behind its header`() throws {
    let art = Octets.noise(40, seed: 7)
    let data = MovieBuilder.box("data", Octets.big(13) + Octets.zeros(4) + art)
    let list = MovieBuilder.box("ilst", MovieBuilder.box("covr", data))
    let metadata = MovieBuilder.fullBox(
      "meta",
      MovieBuilder.fullBox("hdlr", Octets.zeros(20)) + list
    )
    var builder = MovieBuilder()
    builder.movieExtras = MovieBuilder.box("udta", metadata)
    let range = try #require(inspect(builder).coverArt)
    #expect(Array(builder.bytes[Int(range.lowerBound)..<Int(range.upperBound)]) == art)
  }

  @Test(arguments: [[0xA9] + Octets.text("xyz"), Octets.text("loci")])
  func `a position in the user data is noticed`(name: [UInt8]) {
    var builder = MovieBuilder()
    let place = Octets.big(20) + name + Octets.zeros(12)
    builder.movieExtras = MovieBuilder.box("udta", place)
    #expect(inspect(builder).kinds == [.metadataLocation])
  }
}
