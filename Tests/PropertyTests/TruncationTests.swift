import AttachmentModel
import MediaSniffing
import PolicyChecking
import TestSupport
import Testing

/// A file that was cut must never pass for good.
///
/// One fixture after the other: begun all at once, each would wait for all.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TruncationTests {
  @Test(arguments: Fixture.all)
  func `a cut file is never delivered without a word`(fixture: Fixture) throws {
    let whole = fixture.bytes
    let traits = Set(try Judge.inspect(whole).findings.map(\.kind)).subtracting(Self.words)
    for part in 0..<64 {
      let end = whole.count * part / 64
      let inspection = try Judge.inspect(Array(whole.prefix(end)))
      // What is true of the whole file, too, is no word about the cut.
      if !Set(inspection.findings.map(\.kind)).isSubset(of: traits) {
        let findings = Judge.findings(inspection, named: fixture, under: Judge.push)
        #expect(!findings.violations.isEmpty || !findings.warnings.isEmpty, "cut at \(end)")
      } else if !Seam.stands(at: end, in: whole, inspection) {
        let accepting = Judge.policies.filter {
          Judge.findings(inspection, named: fixture, under: $0).violations.isEmpty
        }
        #expect(
          accepting.isEmpty,
          "cut at \(end) of \(whole.count) it is good for \(accepting.map(\.name))"
        )
      }
    }
  }

  /// The findings that say that a file is not what it should be.
  private static let words: Set<StructureFinding.Kind> = [
    .truncated, .corrupt, .noMedia, .lastFrameCut, .trailingData, .polyglot, .unsupportedVariant,
  ]
}
