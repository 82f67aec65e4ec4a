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

  /// Of other formats nothing is left out.
  private static let fixtures = Fixture.all.filter { fixture in
    ["jpeg/", "mp4-video/", "m4a-", "mov/", "3gp/", "other/"].contains {
      fixture.name.hasPrefix($0)
    }
  }

  @Test(arguments: fixtures)
  func `an inspection finds the same without what is left out`(fixture: Fixture) throws {
    for pieces in [1, 333, 16_384] { try expectSameFindings(fixture.bytes, pieces: pieces) }
  }

  @Test(arguments: fixtures)
  func `it finds the same in what is cut or damaged`(fixture: Fixture) throws {
    var bytes = fixture.bytes
    guard !bytes.isEmpty else { return }
    let stride = max(1, bytes.count / max(8, 8_000 / bytes.count)) | 1
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

  /// A movie of fragments whose last box before the first of them is too short for its fields.
  @Test func `fields that a box is too short for are not taken from the media behind it`() throws {
    var bytes = Fixture("mp4-video/valid/fragmented.mp4").bytes
    func start(of type: String) throws -> Int {
      try #require(bytes.indices.last { bytes[$0...].starts(with: type.utf8) }) - 4
    }
    func end(of box: Int) -> Int { box + bytes[box..<box + 4].reduce(0) { $0 << 8 | Int($1) } }
    func shorten(_ box: Int, by count: Int) {
      let size = end(of: box) - box - count
      for (place, shift) in zip(box..., [24, 16, 8, 0]) {
        bytes[place] = UInt8(truncatingIfNeeded: size >> shift)
      }
    }
    let (moov, mvex, trex) = (try start(of: "moov"), try start(of: "mvex"), try start(of: "trex"))
    let metadata = end(of: mvex)..<end(of: moov)
    let fields = end(of: trex) - 16..<end(of: trex)
    #expect(fields.upperBound == metadata.lowerBound)
    bytes.removeSubrange(fields.lowerBound..<metadata.upperBound)
    shorten(moov, by: fields.count + metadata.count)
    for box in [mvex, trex] { shorten(box, by: fields.count) }
    let end = fields.lowerBound
    let media = [0, 0, 0, 208] + Array("mdat".utf8) + Array(repeating: 0x40, count: 200)
    bytes.insert(contentsOf: media, at: end)
    // One sample, as large as 'trex' would say.
    let track = Array(bytes[end - 4..<end])
    let header = box("tfhd", [0, 2, 0, 0] + track)
    let run = box("trun", [0, 0, 0, 0, 0, 0, 0, 1])
    bytes += box("moof", box("mfhd", Array(repeating: 0, count: 8)) + box("traf", header + run))
    bytes += media
    try expectSameFindings(bytes, pieces: 1_000)
  }

  /// A box of less than 256 bytes.
  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(8 + content.count)] + Array(type.utf8) + content
  }

  @Test(arguments: [[0xFF], [0xFF, 0xE3, 0, 2]] as [[UInt8]])
  func `what is alike is told of at once`(pattern: [UInt8]) {
    let picture = Fixture("jpeg/valid/baseline.jpg").bytes
    let bytes = picture.prefix(2) + Array(repeating: pattern, count: 10_000).joined()
    expectFewRuns(Array(bytes))
  }

  @Test func `small boxes are told of at once`() {
    let movie = Fixture("mp4-video/valid/h264-silent.mp4").bytes
    let boxes = Array(repeating: [0, 0, 0, 8] + Array("free".utf8), count: 10_000).joined()
    expectFewRuns(movie + boxes)
  }

  private func expectFewRuns(_ bytes: [UInt8]) {
    var skimmer = PayloadSkimmer(beginning: 64, leastGap: 1)
    var runs = 0
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        // Invariant: the buffer outlives the loop.
        rest = rest.dropFirst(skimmer.next(UnsafeRawBufferPointer(rebasing: rest)).count)
        runs += 1
      }
    }
    #expect(runs < 10)
  }

  @Test(arguments: ["jpeg/valid/photo-1600x1200.jpg", "mp4-video/valid/h264-aac.mp4"])
  func `most of a picture and of a movie is left out`(name: String) {
    let bytes = Fixture(name).bytes
    let content = skimmed(bytes, pieces: 16_384)
    #expect(content.kept.count < bytes.count / 2, "\(content.kept.count) of \(bytes.count)")
  }
}
