import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ADTSStructureTests {
  private typealias Frames = AudioFrameBuilder

  @Test func `whole frames are described and nothing is found wrong`() {
    let inspection = MediaStructure.adts.inspect(Frames.adts(frames: 10))
    #expect(inspection.format == .aacADTS)
    #expect(inspection.audioCodec == "aac")
    #expect(inspection.duration == .nanoseconds(10_240 * 1_000_000_000 / 44_100))
    #expect(inspection.findings.isEmpty)
  }

  @Test func `one byte less cuts the last frame`() {
    #expect(
      MediaStructure.adts.inspect(Frames.adts(frames: 10).dropLast()).kinds == [.lastFrameCut]
    )
  }

  @Test func `less than one frame is truncated`() {
    #expect(MediaStructure.adts.inspect(Frames.adts(frames: 1).dropLast()).kinds == [.truncated])
  }

  @Test func `a frame shorter than its header is none`() {
    let bytes: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x00, 0xDF, 0xFC] + Octets.zeros(50)
    #expect(MediaStructure.adts.inspect(bytes).kinds == [.corrupt])
  }

  @Test func `an unlabelled stream is found`() {
    var reader = ByteReader(Octets.zeros(7) + Frames.adts(frames: 3))
    #expect(ADTSStructure.find(&reader, from: 0) == 7)
    #expect(MPEGAudioStructure.find(&reader, from: 0) == nil)
  }
}
