import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ID3TagTests {
  private typealias Frames = AudioFrameBuilder

  /// The bytes that are said to be the cover of an MP3 behind a tag.
  private func cover(_ tag: [UInt8]) -> [UInt8]? {
    let bytes = tag + Frames.mp3(frames: 3)
    return MediaStructure.mpegAudio.inspect(bytes).coverArt
      .map { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
  }

  private let art = Octets.noise(200, seed: 3)
  /// A picture whose frame has the same size plain and syncsafe.
  private let short = Octets.noise(90, seed: 4)

  @Test func `a picture is found in each version`() {
    #expect(cover(Frames.id3(version: 2, Frames.oldPicture(art))) == art)
    #expect(cover(Frames.id3(version: 3, Frames.picture(art))) == art)
    #expect(cover(Frames.id3(version: 4, Frames.picture(short))) == short)
  }

  @Test func `a plain size in a 2_4 tag is understood where it leads to the next frame`() {
    let next = Octets.text("TIT2") + Octets.big(3) + [0, 0, 0, 65, 66]
    #expect(cover(Frames.id3(version: 4, Frames.picture(art) + next)) == art)
  }

  @Test func `the front cover goes before other pictures`() {
    let frames = Frames.picture([1, 2, 3], type: 4) + Frames.picture(art, type: 3)
    #expect(cover(Frames.id3(version: 3, frames)) == art)
  }

  @Test func `no range is given where the bytes are not the picture's own`() {
    #expect(cover(Frames.id3(version: 3, flags: 0x80, Frames.picture(art))) == nil)
    #expect(cover(Frames.id3(version: 3, Frames.picture(art, flags: 0x80))) == nil)
    #expect(cover(Frames.id3(version: 4, Frames.picture(short, flags: 2))) == nil)
  }

  @Test func `a picture that leaves its tag is none`() {
    let frames = Octets.text("APIC") + Octets.big(0x7FFF_FFFF) + Octets.zeros(30)
    #expect(cover(Frames.id3(version: 3, frames)) == nil)
  }

  @Test func `a footer counts`() {
    let footer = Octets.text("3DI") + Octets.zeros(7)
    let tag = Frames.id3(version: 4, flags: 0x10, Octets.zeros(10)) + footer
    #expect(MediaStructure.mpegAudio.inspect(tag + Frames.mp3(frames: 3)).findings.isEmpty)
  }

  @Test func `a size with its top bit set is no tag`() {
    let tag = Octets.text("ID3") + [3, 0, 0, 0x80, 0, 0, 0]
    let inspection = MediaStructure.mpegAudio.inspect(tag + Frames.mp3(frames: 3))
    #expect(inspection.findings.isEmpty)
    #expect(inspection.duration != nil)
  }
}
