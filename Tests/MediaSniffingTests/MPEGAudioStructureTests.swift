import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MPEGAudioStructureTests {
  private typealias Frames = AudioFrameBuilder

  private func inspect(_ bytes: [UInt8]) -> MediaInspection {
    MediaStructure.mpegAudio.inspect(bytes)
  }

  @Test func `whole frames are described and nothing is found wrong`() {
    let inspection = inspect(Frames.mp3(frames: 10))
    #expect(inspection.format == .mp3)
    #expect(inspection.kind == .audio)
    #expect(inspection.audioCodec == "mp3")
    #expect(inspection.duration == .nanoseconds(11_520 * 1_000_000_000 / 44_100))
    #expect(inspection.findings.isEmpty)
  }

  @Test func `one byte less cuts the last frame`() {
    #expect(inspect(Frames.mp3(frames: 10).dropLast()).kinds == [.lastFrameCut])
  }

  @Test func `one byte more is trailing data`() {
    #expect(inspect(Frames.mp3(frames: 10) + [1]).kinds == [.trailingData])
  }

  @Test func `a flipped sync bit costs one frame and no more`() {
    var bytes = Frames.mp3(frames: 10)
    bytes[5 * Frames.mp3FrameSize] ^= 0x80
    #expect(inspect(bytes).findings.isEmpty)
    #expect(inspect(bytes).duration == .nanoseconds(9 * 1_152 * 1_000_000_000 / 44_100))
  }

  @Test func `tags around the frames are passed over`() {
    let lead = Frames.id3(Frames.picture([1, 2, 3])) + Frames.id3(Octets.zeros(50))
    let tail = Frames.lyrics + Frames.ape + Frames.id3v1
    #expect(inspect(lead + Frames.mp3(frames: 5) + tail).findings.isEmpty)
    #expect(inspect(lead + Frames.mp3(frames: 5) + lead + Frames.id3v1).findings.isEmpty)
  }

  @Test(arguments: [1, 10, 1_211, 60_000])
  func `junk before the first frame is passed over`(count: Int) {
    let junk = Octets.noise(count)
    let inspection = inspect(Frames.id3([]) + junk + Frames.mp3(frames: 5))
    #expect(inspection.format == .mp3)
    #expect(inspection.findings.isEmpty)
  }

  @Test func `more junk than music is corrupt`() {
    let parts = (0..<20).flatMap { Frames.mp3(frames: 2) + Octets.noise(4_000, seed: $0) }
    #expect(inspect(parts + Frames.mp3(frames: 2)).kinds == [.corrupt])
  }

  @Test(
    arguments: [
      (9, []), (11, []), (12, [.truncated]), (2_000, [.truncated]), (0, []),
    ] as [(UInt64, [StructureFinding.Kind])]
  )
  func `ten frames are held against what the first one promises`(
    promise: UInt64,
    kinds: [StructureFinding.Kind]
  ) {
    let bytes = Frames.mp3(frames: 10, promise: promise)
    #expect(inspect(bytes).kinds == kinds)
    // A tag at the end says that the end is there.
    #expect(inspect(bytes + Frames.id3v1).kinds == [])
  }

  @Test func `the other ways to promise are understood`() {
    #expect(inspect(Frames.vbri(frames: 10, promise: 9)).findings.isEmpty)
    #expect(inspect(Frames.vbri(frames: 10, promise: 12)).kinds == [.truncated])
    #expect(inspect(Frames.mp3(frames: 10, promisedBytes: 4_170)).findings.isEmpty)
    #expect(inspect(Frames.mp3(frames: 10, promisedBytes: 41_700)).kinds == [.truncated])
  }

  @Test func `a header whose frames were never filled in promises nothing`() {
    var bytes = Frames.mp3(frames: 10, promise: 0)
    bytes.replaceSubrange(40..<52, with: Octets.big(3) + Octets.big(0) + Octets.big(1_000_000))
    #expect(inspect(bytes).findings.isEmpty)
  }

  @Test(arguments: [(1, "I", "mp1"), (2, "II", "mp2")])
  func `the lower layers are no MP3`(layer: Int, numeral: String, codec: String) {
    let inspection = inspect(Frames.lower(layer: layer, frames: 8))
    #expect(inspection.format == .other)
    #expect(inspection.kind == .audio)
    #expect(inspection.contentName == "MPEG audio layer \(numeral)")
    #expect(inspection.audioCodec == codec)
    #expect(inspection.findings.isEmpty)
  }

  @Test func `tags alone are corrupt`() {
    #expect(inspect(Frames.id3(Octets.zeros(20)) + Frames.id3v1).kinds == [.corrupt])
  }

  @Test func `less than one frame is truncated, and one whole frame is enough`() {
    #expect(inspect(Array(Frames.mp3(frames: 1).dropLast())).kinds == [.truncated])
    #expect(inspect(Frames.mp3(frames: 1)).findings.isEmpty)
  }

  @Test func `a tag that reaches past the end is truncated`() {
    let tag = Frames.id3(Octets.zeros(1_000))
    #expect(inspect(tag.dropLast()).kinds == [.truncated])
  }

  @Test func `free format is named and refused`() {
    let frame = [0xFF, 0xFB, 0x00, 0x00] + Octets.zeros(500)
    #expect(inspect(frame + frame + frame).kinds == [.unsupportedVariant])
  }

  @Test func `ADTS behind a tag is ADTS`() {
    let inspection = inspect(Frames.id3(Frames.picture([9])) + Frames.adts(frames: 5))
    #expect(inspection.format == .aacADTS)
    #expect(inspection.coverArt != nil)
    #expect(inspection.findings.isEmpty)
  }

  @Test func `FLAC behind a tag is FLAC`() {
    let inspection = inspect(Frames.id3(Octets.zeros(9)) + MediaStructure.flac.sample)
    #expect(inspection.format == .flac)
    #expect(inspection.audioCodec == "flac")
    #expect(inspection.findings.isEmpty)
  }

  @Test(arguments: [2_048, 100_000])
  func `noise is no stream`(count: Int) {
    for seed in 1...8 {
      var reader = ByteReader(Octets.noise(count, seed: UInt64(seed)))
      #expect(MPEGAudioStructure.find(&reader, from: 0) == nil)
      #expect(ADTSStructure.find(&reader, from: 0) == nil)
    }
  }

  @Test(arguments: [0x00, 0xFF, 0xFB, 0x55] as [UInt8])
  func `equal bytes are no stream`(byte: UInt8) {
    var reader = ByteReader([UInt8](repeating: byte, count: 5_000))
    #expect(MPEGAudioStructure.find(&reader, from: 0) == nil)
    #expect(ADTSStructure.find(&reader, from: 0) == nil)
  }

  @Test func `an unlabelled stream needs three frames, or two up to the end`() {
    func find(_ bytes: [UInt8]) -> Int64? {
      var reader = ByteReader(bytes)
      return MPEGAudioStructure.find(&reader, from: 0)
    }
    #expect(find([1, 2, 3] + Frames.mp3(frames: 3) + [0]) == 3)
    #expect(find([1, 2, 3] + Frames.mp3(frames: 2)) == 3)
    #expect(find([1, 2, 3] + Frames.mp3(frames: 2) + [0]) == nil)
    #expect(find(Frames.mp3(frames: 1)) == nil)
  }
}
