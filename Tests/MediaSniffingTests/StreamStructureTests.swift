import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StreamStructureTests {
  @Test(arguments: [(false, "mpeg1video"), (true, "mpeg2video")])
  func `a program stream is described`(hasExtension: Bool, codec: String) {
    let inspection = MediaStructure.mpegSystem.inspect(
      StreamBuilder.program(hasExtension: hasExtension)
    )
    #expect(inspection.format == .mpeg)
    #expect(inspection.kind == .movie)
    #expect(inspection.width == 320)
    #expect(inspection.height == 240)
    #expect(inspection.videoCodec == codec)
    #expect(inspection.audioCodec == "mp2")
    #expect(inspection.findings.isEmpty)
  }

  @Test func `AMR frames are counted`() {
    let inspection = MediaStructure.amr.inspect(StreamBuilder.amr(frames: 10))
    #expect(inspection.format == .amr)
    #expect(inspection.audioCodec == "amr")
    #expect(inspection.duration == .milliseconds(200))
    #expect(MediaStructure.amr.inspect(StreamBuilder.amr(frames: 0)).kinds == [.noMedia])
    #expect(MediaStructure.amr.inspect(StreamBuilder.amr(frames: 1) + [0xFF]).kinds == [.corrupt])
  }

  @Test func `an Ogg file is described`() {
    let inspection = MediaStructure.ogg.inspect(StreamBuilder.ogg())
    #expect(inspection.format == .ogg)
    #expect(inspection.kind == .audio)
    #expect(inspection.audioCodec == "opus")
    #expect(inspection.duration == .seconds(1))
  }

  @Test func `an Ogg stream without its last page is truncated`() {
    #expect(MediaStructure.ogg.inspect(StreamBuilder.ogg(isEnded: false)).kinds == [.truncated])
  }

  @Test func `an Ogg page that is missing is corrupt`() {
    #expect(MediaStructure.ogg.inspect(StreamBuilder.ogg(lastSequence: 3)).kinds == [.corrupt])
  }

  @Test func `a flipped bit in an Ogg page is corrupt`() {
    var bytes = StreamBuilder.ogg()
    bytes[bytes.count - 9] ^= 4
    #expect(MediaStructure.ogg.inspect(bytes).kinds == [.corrupt])
  }

  @Test func `a FLAC file is described`() throws {
    let bytes = StreamBuilder.flac(art: [7, 8, 9])
    let inspection = MediaStructure.flac.inspect(bytes)
    #expect(inspection.format == .flac)
    #expect(inspection.audioCodec == "flac")
    #expect(inspection.duration == .seconds(1))
    let range = try #require(inspection.coverArt)
    #expect(bytes[Int(range.lowerBound)..<Int(range.upperBound)].elementsEqual([7, 8, 9]))
    #expect(MediaStructure.flac.inspect(Array(bytes.prefix(80))).kinds == [.truncated])
  }

  @Test(arguments: [("webm", MediaFormat.webm, nil), ("matroska", .other, "Matroska")])
  func `the document type tells WebM from Matroska`(
    documentType: String,
    format: MediaFormat,
    name: String?
  ) {
    let inspection = MediaStructure.matroska.inspect(
      StreamBuilder.matroska(documentType: documentType)
    )
    #expect(inspection.format == format)
    #expect(inspection.contentName == name)
    #expect(inspection.kind == .movie)
    #expect(inspection.width == 320)
    #expect(inspection.height == 240)
    #expect(inspection.videoCodec == "vp8")
    #expect(inspection.audioCodec == "vorbis")
    #expect(inspection.duration == .milliseconds(1_500))
  }
}
