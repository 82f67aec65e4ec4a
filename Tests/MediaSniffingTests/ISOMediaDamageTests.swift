import AttachmentModel
import MediaSniffing
import Testing

/// Files whose numbers contradict each other or overflow.
@Suite(.timeLimit(.minutes(1)))
struct ISOMediaDamageTests {
  private func inspect(_ builder: MovieBuilder) -> MediaInspection {
    MediaStructure.isoMedia.inspect(builder.bytes)
  }

  @Test(
    arguments: [
      [[2, 2, 1]], [[1, 2, 1], [3, 1, 1]], [[1, 2, 1], [0, 1, 1]], [], [[1, 1, 1]],
    ] as [[[UInt64]]]
  )
  func `runs that do not fit the chunks are corrupt`(runs: [[UInt64]]) {
    var builder = MovieBuilder()
    builder.chunkRuns = runs
    #expect(inspect(builder).kinds == [.corrupt])
  }

  @Test func `of two entries for one chunk the last one holds`() {
    var builder = MovieBuilder()
    builder.chunkRuns = [[1, 9, 1], [1, 2, 1]]
    #expect(inspect(builder).findings.isEmpty)
  }

  @Test func `a table that promises more than its box holds is corrupt`() {
    var builder = MovieBuilder()
    builder.sizeTable = MovieBuilder.fullBox("stsz", Octets.zeros(4) + Octets.big(0xFFFF_FFFF))
    #expect(inspect(builder).kinds.contains(.corrupt))
    builder.sizeTable = nil
    builder.offsetTable = MovieBuilder.fullBox("stco", Octets.big(0xFFFF_FFFF))
    #expect(inspect(builder).kinds == [.corrupt])
  }

  @Test(arguments: [UInt64.max, UInt64(Int64.max) - 3])
  func `chunk offsets that overflow are corrupt`(offset: UInt64) {
    var builder = MovieBuilder()
    let offsets = Octets.big(100, 8) + Octets.big(offset, 8)
    builder.offsetTable = MovieBuilder.fullBox("co64", Octets.big(2) + offsets)
    #expect(inspect(builder).kinds == [.corrupt])
  }

  @Test func `samples of one huge size lie beyond the end, without a table of them`() {
    var builder = MovieBuilder()
    builder.sizeTable = MovieBuilder.fullBox("stsz", Octets.big(0xFFFF_FFFF) + Octets.big(4))
    #expect(inspect(builder).kinds == [.truncated])
  }

  @Test func `compact sample sizes are read by their width`() {
    var builder = MovieBuilder()
    builder.sampleSizes = [9, 3, 15, 1]
    builder.sizeTable = MovieBuilder.fullBox(
      "stz2",
      Octets.big(4) + Octets.big(4) + [0x93, 0xF1]
    )
    #expect(inspect(builder).findings.isEmpty)
    #expect(
      MediaStructure.isoMedia.inspect(builder.bytes.dropLast()).kinds == [.truncated, .truncated]
    )
  }

  @Test func `a time scale of zero is corrupt`() {
    var builder = MovieBuilder()
    builder.timescale = 0
    #expect(inspect(builder).has(.corrupt))
    #expect(inspect(builder).duration == nil)
  }

  @Test func `a negative duration is corrupt and an unknown one is not`() {
    var builder = MovieBuilder()
    builder.duration = 0x8000_0001
    #expect(inspect(builder).has(.corrupt))
    builder.duration = 0xFFFF_FFFF
    #expect(inspect(builder).findings.isEmpty)
    #expect(inspect(builder).duration == nil)
  }

  @Test func `a second movie box is corrupt`() {
    let builder = MovieBuilder()
    let inspection = MediaStructure.isoMedia.inspect(builder.bytes + builder.movie(dataStart: 0))
    #expect(inspection.kinds == [.corrupt])
  }

  @Test(
    arguments: [
      Octets.big(4) + Octets.text("free"),
      Octets.big(1) + Octets.text("free") + Octets.big(15, 8),
      Octets.big(1) + Octets.text("free") + Octets.big(.max, 8),
      Octets.big(1) + Octets.text("free") + Octets.big(UInt64(Int64.max), 8),
    ]
  )
  func `a box of nonsense size is corrupt`(box: [UInt8]) {
    #expect(MediaStructure.isoMedia.inspect(MovieBuilder().bytes + box).kinds == [.corrupt])
  }

  @Test func `a box that reaches past the end is truncated`() {
    let box = Octets.big(1_000) + Octets.text("free")
    #expect(MediaStructure.isoMedia.inspect(MovieBuilder().bytes + box).kinds == [.truncated])
  }

  @Test func `bytes behind the last box are noticed`() {
    #expect(
      MediaStructure.isoMedia.inspect(MovieBuilder().bytes + Octets.zeros(20)).kinds == [
        .trailingData
      ]
    )
  }

  @Test func `a box that leaves the one around it is corrupt`() {
    var builder = MovieBuilder()
    builder.movieExtras = Octets.big(5_000) + Octets.text("free")
    #expect(inspect(builder).kinds == [.corrupt])
  }

  @Test func `the first box alone is the beginning of a movie`() {
    let file = MovieBuilder.box("ftyp", Octets.text("isom") + Octets.zeros(4))
    #expect(MediaStructure.isoMedia.inspect(file).kinds == [.truncated])
  }

  @Test func `a box that swallows the file before any movie is corrupt`() {
    let file = MovieBuilder.box("ftyp", Octets.text("isom") + Octets.zeros(4))
    let open = Octets.zeros(4) + Octets.text("free") + Octets.noise(100)
    #expect(MediaStructure.isoMedia.inspect(file + open).kinds == [.corrupt])
  }

  @Test(arguments: 0..<128)
  func `a flipped bit never stops the inspection`(seed: Int) {
    var bytes = MovieBuilder().bytes
    for byte in Octets.noise(8, seed: UInt64(seed + 1)).enumerated() {
      let index = (seed * 131 + Int(byte.element) * (byte.offset + 1)) % bytes.count
      bytes[index] ^= 1 << UInt8(byte.offset)
    }
    _ = MediaStructure.isoMedia.inspect(bytes)
  }
}
