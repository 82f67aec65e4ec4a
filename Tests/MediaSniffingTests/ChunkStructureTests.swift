import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChunkStructureTests {
  @Test(
    arguments: [
      (1, 16, "pcm_s16le"), (1, 24, "pcm_s24le"), (1, 8, "pcm_u8"), (3, 32, "pcm_f32le"),
      (6, 8, "pcm_alaw"), (0x55, 16, "mp3"), (0x1234, 16, "wave format 4660"),
    ] as [(UInt64, UInt64, String)]
  )
  func `a WAVE file names its codec and its time`(tag: UInt64, bits: UInt64, codec: String) {
    let inspection = MediaStructure.wav.inspect(ChunkBuilder.wav(tag: tag, bits: bits))
    #expect(inspection.format == .wav)
    #expect(inspection.kind == .audio)
    #expect(inspection.audioCodec == codec)
    #expect(inspection.duration == .milliseconds(10))
    #expect(inspection.findings.isEmpty)
  }

  @Test func `big-endian WAVE files are read`() {
    let format = Octets.big(1, 2) + Octets.big(1, 2) + Octets.big(8_000) + Octets.big(16_000)
    let bytes = ChunkBuilder.big(
      "RIFX",
      Octets.text("WAVE") + ChunkBuilder.big("fmt ", format + Octets.big(2, 2) + Octets.big(16, 2))
        + ChunkBuilder.big("data", Octets.noise(160))
    )
    #expect(MediaStructure.wav.inspect(bytes).audioCodec == "pcm_s16be")
    #expect(MediaStructure.wav.inspect(bytes).findings.isEmpty)
    #expect(MediaStructure.wav.inspect(bytes.dropLast()).kinds == [.truncated])
  }

  @Test func `sizes of 64 bits are held against the end`() {
    let bytes = ChunkBuilder.rf64()
    #expect(MediaStructure.wav.inspect(bytes).findings.isEmpty)
    #expect(MediaStructure.wav.inspect(bytes).duration == .milliseconds(10))
    #expect(MediaStructure.wav.inspect(bytes.dropLast()).kinds == [.truncated])
  }

  @Test func `a 64-bit size that overflows never stops the inspection`() {
    var bytes = ChunkBuilder.rf64()
    bytes.replaceSubrange(28..<36, with: Octets.little(UInt64(Int64.max), 8))
    #expect(MediaStructure.wav.inspect(bytes).kinds == [.truncated])
  }

  @Test(
    arguments: [(nil, "pcm_s16be"), ("sowt", "pcm_s16le"), ("alaw", "pcm_alaw")]
      as [(String?, String)]
  )
  func `an AIFF file names its codec and its time`(compression: String?, codec: String) {
    let inspection = MediaStructure.aiff.inspect(ChunkBuilder.aiff(compression: compression))
    #expect(inspection.format == .aiff)
    #expect(inspection.audioCodec == codec)
    #expect(inspection.duration == .milliseconds(10))
    #expect(inspection.findings.isEmpty)
  }

  @Test func `an AVI file is described`() {
    let inspection = MediaStructure.avi.inspect(ChunkBuilder.avi())
    #expect(inspection.format == .avi)
    #expect(inspection.kind == .movie)
    #expect(inspection.width == 64)
    #expect(inspection.height == 48)
    #expect(inspection.frames == 5)
    #expect(inspection.duration == .milliseconds(200))
    #expect(inspection.videoCodec == "mpeg4")
    #expect(inspection.audioCodec == "mp3")
  }
}
