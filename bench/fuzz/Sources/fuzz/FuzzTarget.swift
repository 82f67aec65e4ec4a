import AttachmentModel
import Glibc
import MediaSniffing

/// What is fed with the fuzzer's inputs.
enum FuzzTarget: Sendable {
  /// The way that every file goes, libmagic included.
  case inspector(MediaInspector)
  /// One structure check, whatever the first bytes say.
  case structure(Signature.Family)
  /// An inspection without the bytes that nobody looks at.
  case skimmer

  /// The target that the environment names, or the end of the process.
  ///
  /// libFuzzer owns the command line, so the name comes as `AFFIX_FUZZ_TARGET`.
  static func named(_ name: String) -> FuzzTarget {
    if name == "inspector" { return .inspector(MediaInspector()) }
    if name == "skimmer" { return .skimmer }
    guard let family = Signature.Family.allCases.first(where: { "\($0)" == name }) else {
      preconditionFailure("AFFIX_FUZZ_TARGET names no target: \(name)")
    }
    return .structure(family)
  }

  /// Inspects an input; what must never happen stops the process.
  func feed(_ bytes: [UInt8]) {
    let inspection: MediaInspection
    switch self {
    case .inspector(let inspector):
      do throws(InspectionError) {
        inspection = try inspector.inspect(ByteReader(bytes))
      } catch {
        preconditionFailure("bytes in memory cannot be unreadable: \(error.message)")
      }
    case .structure(let family):
      var reader = ByteReader(bytes)
      var found = MediaInspection(format: .other, size: ByteCount(reader.size))
      StructureChecks.run(for: family, &reader, into: &found)
      inspection = found
    case .skimmer:
      inspection = Self.settled(ByteReader(Self.skim(bytes)))
      Self.expect(inspection == Self.settled(ByteReader(bytes)), "nobody misses what is left out")
    }
    Self.expectSound(inspection, of: bytes.count)
  }

  /// What is found without libmagic; an empty inspection where it would have to be asked.
  private static func settled(_ bytes: ByteReader) -> MediaInspection {
    let found = try? MediaInspector.settled(bytes)
    return found ?? MediaInspection(format: .other, size: ByteCount(bytes.size))
  }

  /// What is left of bytes that come in pieces, which are as long as the last byte says.
  private static func skim(_ bytes: [UInt8]) -> SparseBytes {
    var skimmer = PayloadSkimmer(beginning: 64, leastGap: 1)
    var content = SparseBytes()
    let length = 1 + Int(bytes.last ?? 0)
    for start in stride(from: 0, to: bytes.count, by: length) {
      bytes[start..<min(start + length, bytes.count)].withUnsafeBytes { piece in
        var rest = piece[...]
        while !rest.isEmpty {
          // Invariant: a run lies inside the piece, whose buffer outlives the loop.
          let run = skimmer.next(UnsafeRawBufferPointer(rebasing: rest))
          let part = UnsafeRawBufferPointer(rebasing: rest.prefix(run.count))
          if run.isNeeded { content.append(part) } else { content.skip(run.count) }
          rest = rest.dropFirst(run.count)
        }
      }
    }
    return content
  }

  /// What holds of every inspection, however mad the file.
  private static func expectSound(_ inspection: MediaInspection, of size: Int) {
    expect(inspection.size.bytes == size, "the size is the file's")
    expect(inspection.findings.count < 64, "findings do not grow with the file")
    expect((inspection.width ?? 0) >= 0 && (inspection.height ?? 0) >= 0, "pixels are counted")
    expect((inspection.frames ?? 0) >= 0, "frames are counted")
    expect((inspection.duration ?? .zero) >= .zero, "time runs forward")
    expect(inspection.orientation.map { (1...8).contains($0) } ?? true, "orientations are 1 to 8")
    expect((inspection.decodedSize?.bytes ?? 0) >= 0, "memory is counted")
    let cover = inspection.coverArt ?? 0..<0
    expect(cover.lowerBound >= 0 && cover.upperBound <= Int64(size), "a cover lies in its file")
    for finding in inspection.findings {
      expect(finding.detail.utf8.count < 1_024, "a finding is short")
      expect(!finding.detail.utf8.contains(10), "a finding is one line")
    }
  }

  /// As a precondition, but says what it is also in a release build.
  private static func expect(_ condition: Bool, _ rule: String) {
    if !condition { fatalError("broken: \(rule)") }
  }
}
