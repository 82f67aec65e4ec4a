import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ISOMediaFragmentTests {
  /// A movie without samples of its own.
  private var initialisation: [UInt8] {
    var builder = MovieBuilder()
    builder.sampleSizes = []
    builder.chunkRuns = []
    builder.chunkCount = 0
    builder.duration = 0
    let defaults = [1, 1, 500, 0, 0].flatMap { Octets.big($0) }
    builder.movieExtras = MovieBuilder.box("mvex", MovieBuilder.fullBox("trex", defaults))
    let bytes = builder.bytes
    // Without the empty 'mdat'.
    return bytes.dropLast(8)
  }

  /// A fragment of three samples and its data.
  private func fragment(
    track: UInt64 = 1,
    sizes: [UInt64] = [10, 20, 30],
    count: UInt64 = 3,
    dataOffset: UInt64? = nil
  ) -> [UInt8] {
    func box(_ offset: UInt64) -> [UInt8] {
      let header = MovieBuilder.fullBox("tfhd", flags: 0x02_0000, Octets.big(track))
      let run = MovieBuilder.fullBox(
        "trun",
        flags: 0x201,
        Octets.big(count) + Octets.big(offset) + sizes.flatMap { Octets.big($0) }
      )
      return MovieBuilder.box("moof", MovieBuilder.box("traf", header + run))
    }
    let offset = dataOffset ?? UInt64(box(0).count + 8)
    return box(offset) + MovieBuilder.box("mdat", Octets.noise(60))
  }

  @Test func `whole fragments add up`() {
    let inspection = MediaStructure.isoMedia.inspect(initialisation + fragment() + fragment())
    #expect(inspection.findings.isEmpty)
    #expect(inspection.frames == 6)
    #expect(inspection.duration == .seconds(3))
  }

  @Test func `one byte less is truncated`() {
    let bytes = initialisation + fragment() + fragment()
    #expect(MediaStructure.isoMedia.inspect(bytes.dropLast()).kinds == [.truncated, .truncated])
  }

  @Test func `the initialisation alone is truncated`() {
    #expect(MediaStructure.isoMedia.inspect(initialisation).kinds == [.truncated])
  }

  @Test func `a fragment of an unknown track is corrupt`() {
    #expect(MediaStructure.isoMedia.inspect(initialisation + fragment(track: 2)).has(.corrupt))
  }

  @Test func `a run that promises more samples than it lists is corrupt`() {
    let bytes = initialisation + fragment(count: 0xFFFF_FFFF)
    #expect(MediaStructure.isoMedia.inspect(bytes).has(.corrupt))
  }

  @Test func `data before the file's beginning are corrupt`() {
    let bytes = initialisation + fragment(dataOffset: 0xFFFF_0000)
    #expect(MediaStructure.isoMedia.inspect(bytes).has(.corrupt))
  }

  @Test func `a fragment before any movie is corrupt`() {
    #expect(MediaStructure.isoMedia.inspect(fragment() + initialisation).has(.corrupt))
  }

  @Test(arguments: 1..<64)
  func `fragments cut anywhere are damaged`(part: Int) {
    let bytes = initialisation + fragment() + fragment()
    let cut = Array(bytes.prefix(bytes.count * part / 64))
    // Between two fragments nothing is missing.
    guard cut.count != initialisation.count + fragment().count else { return }
    #expect(MediaStructure.isoMedia.inspect(cut).isDamaged)
  }
}
