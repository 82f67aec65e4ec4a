import AttachmentModel
import MediaSniffing
import TestSupport
import Testing

/// What is left out of a file that is read as it comes is missed by nobody.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SkimmedInspectionTests {
  /// What is left of bytes that come in pieces, once a skimmer has seen them.
  private func skimmed(_ bytes: [UInt8], pieces: Int) -> SparseBytes {
    var skimmer = PayloadSkimmer(beginning: 64, leastGap: 1)
    var content = SparseBytes()
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes { piece in
        var rest = piece[...]
        while !rest.isEmpty {
          // Invariant: a run lies inside the piece, whose buffer outlives the loop.
          let run = skimmer.next(UnsafeRawBufferPointer(rebasing: rest))
          if run.isNeeded {
            content.append(UnsafeRawBufferPointer(rebasing: rest.prefix(run.count)))
          } else {
            content.skip(run.count)
          }
          rest = rest.dropFirst(run.count)
        }
      }
    }
    return content
  }

  private func expectSameFindings(_ bytes: [UInt8], pieces: Int) throws {
    let whole = try MediaInspector.settled(ByteReader(bytes))
    let content = skimmed(bytes, pieces: pieces)
    #expect(content.size == bytes.count)
    #expect(try MediaInspector.settled(ByteReader(content)) == whole, "in pieces of \(pieces)")
  }

  @Test(arguments: Fixture.all)
  func `an inspection finds the same without what is left out`(fixture: Fixture) throws {
    for pieces in [1, 7, 333, 16_384] { try expectSameFindings(fixture.bytes, pieces: pieces) }
  }

  @Test(arguments: Fixture.all)
  func `it finds the same in what is cut or damaged`(fixture: Fixture) throws {
    var bytes = fixture.bytes
    guard !bytes.isEmpty else { return }
    let stride = max(1, bytes.count / max(8, 15_000 / bytes.count)) | 1
    for place in Swift.stride(from: 0, to: bytes.count, by: stride) {
      try expectSameFindings(Array(bytes.prefix(place)), pieces: 1_000)
      let whole = bytes[place]
      for pattern in [0x01, 0x80, 0xFF] as [UInt8] {
        bytes[place] = whole ^ pattern
        try expectSameFindings(bytes, pieces: 1_000)
      }
      bytes[place] = whole
    }
  }

  @Test func `a scan is passed over to its end, whatever its frame says`() throws {
    var bytes = Fixture("jpeg/valid/restart-markers.jpg").bytes
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    // A component without a sample, and a segment that the file ends inside.
    bytes[frame + 11] = 0
    bytes.replaceSubrange((bytes.count - 2)..., with: [0xFF, 0xE0, 0xFF, 0xFF])
    for pieces in [1, 1_000, bytes.count] { try expectSameFindings(bytes, pieces: pieces) }
    let found = try #require(try MediaInspector.settled(ByteReader(bytes)))
    #expect(found.findings.last?.detail == "ends inside the segment at offset \(bytes.count - 4)")
  }

  @Test(arguments: ["jpeg/valid/photo-1600x1200.jpg", "mp4-video/valid/h264-aac.mp4"])
  func `most of a picture and of a movie is left out`(name: String) {
    let bytes = Fixture(name).bytes
    let content = skimmed(bytes, pieces: 16_384)
    #expect(content.kept.count < bytes.count / 2, "\(content.kept.count) of \(bytes.count)")
  }
}
