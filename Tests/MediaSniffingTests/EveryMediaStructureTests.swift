import AttachmentModel
import MediaSniffing
import Testing

/// What holds for every structure alike.
@Suite(.timeLimit(.minutes(1)))
struct EveryMediaStructureTests {
  @Test(arguments: MediaStructure.allCases)
  func `a whole file has nothing wrong with it`(structure: MediaStructure) {
    #expect(structure.inspect(structure.sample).findings.isEmpty)
  }

  @Test(arguments: MediaStructure.allCases.filter { $0 != .flac })
  func `one byte less is noticed`(structure: MediaStructure) {
    #expect(structure.inspect(structure.sample.dropLast()).isDamaged)
  }

  @Test(arguments: MediaStructure.allCases, 0..<64)
  func `a file cut anywhere is inspected to its end`(structure: MediaStructure, part: Int) {
    let bytes = structure.sample
    let inspection = structure.inspect(Array(bytes.prefix(bytes.count * part / 64)))
    #expect(inspection.findings.count < 32)
  }

  @Test(arguments: MediaStructure.allCases, 1...32)
  func `flipped bits never stop an inspection`(structure: MediaStructure, seed: Int) {
    var bytes = structure.sample
    let noise = Octets.noise(24, seed: UInt64(seed))
    for start in stride(from: 0, to: noise.count, by: 3) {
      let place = Int(noise[start]) << 8 | Int(noise[start + 1])
      bytes[place % bytes.count] ^= noise[start + 2]
    }
    #expect(structure.inspect(bytes).findings.count < 32)
  }

  @Test(arguments: MediaStructure.allCases, [0x00, 0x01, 0x7F, 0xFF] as [UInt8])
  func `equal bytes behind a good beginning never stop an inspection`(
    structure: MediaStructure,
    byte: UInt8
  ) {
    for kept in [0, 4, 12, 20, 40] {
      let bytes = structure.sample.prefix(kept) + [UInt8](repeating: byte, count: 3_000)
      #expect(structure.inspect(Array(bytes)).findings.count < 32)
    }
  }
}
