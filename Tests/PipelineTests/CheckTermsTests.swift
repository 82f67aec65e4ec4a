import AttachmentModel
import Downloading
import Glibc
import Pipeline
import PolicyChecking
import TestSupport
import Testing
import TimeBudgets

/// One pipeline serves checks that ask for different things.
@Suite(.timeLimit(.minutes(1)))
struct CheckTermsTests {
  private static let picture = Fixture("jpeg/valid/photo-1600x1200.jpg")

  private func pipeline(
    _ change: (inout AttachmentPipeline.Configuration) -> Void = { _ in }
  ) throws -> AttachmentPipeline {
    var configuration = AttachmentPipeline.Configuration(
      policies: ["push"].compactMap(AttachmentPolicy.builtIn),
      workers: 2
    )
    configuration.downloading.addresses.allowsPrivateAddresses = true
    change(&configuration)
    return try AttachmentPipeline(configuration)
  }

  private var terms: CheckTerms {
    CheckTerms(policies: ["push"].compactMap(AttachmentPolicy.builtIn))
  }

  private func upload(_ bytes: [UInt8], to pipeline: AttachmentPipeline) throws -> AttachmentFile {
    let body = try pipeline.makeUpload()
    // Invariant: the buffer lives as long as the call.
    let problem = bytes.withUnsafeBytes { body.append($0) }
    #expect(problem == nil)
    return body.finish()
  }

  @Test func `terms of one check go before those of the configuration`() async throws {
    let pipeline = try pipeline()
    var terms = terms
    terms.previews = [PreviewRequest(size: .longEdge(200)), PreviewRequest(size: .longEdge(100))]
    terms.policies = ["apple", "mms"].compactMap(AttachmentPolicy.builtIn)
    let reference = AttachmentReference(.local(Self.picture.path))
    let report = await pipeline.check(reference, under: terms)
    await pipeline.close()
    #expect(report.policies.map(\.policy) == ["apple", "mms"])
    let widths = report.previews.map { result -> Int in
      if case .rendered(let preview) = result.outcome { preview.width } else { 0 }
    }
    #expect(widths == [200, 100])
  }

  @Test func `an upload is judged under its sender's name, and then removed`() async throws {
    let folder = try TemporaryFolder()
    let pipeline = try pipeline { $0.temporaryFolder = folder.path }
    let file = try upload(Self.picture.bytes, to: pipeline)
    let report = await pipeline.check(file, as: AttachmentReference(.local("a.gif")), under: terms)
    #expect(report.source == "a.gif")
    #expect(report.warnings.contains { $0.code == .filenameExtension })
    #expect(access(file.path, F_OK) != 0)
    await pipeline.close()
  }

  @Test func `the file comes with the report where the terms ask for it`() async throws {
    let pipeline = try pipeline()
    var terms = terms
    let file = try upload(Self.picture.bytes, to: pipeline)
    terms.handsOverFile = true
    var report = await pipeline.check(file, as: AttachmentReference(.local("a.jpg")), under: terms)
    let path = try {
      let attachment = try #require(report.attachment)
      var bytes = [UInt8](repeating: 0, count: Int(attachment.size.bytes))
      #expect(pread(attachment.descriptor, &bytes, bytes.count, 0) == bytes.count)
      #expect(bytes == Self.picture.bytes)
      return attachment.path
    }()
    // Whoever has it can link it elsewhere.
    #expect(access(path, F_OK) == 0)
    report.attachment = nil
    // The worker that brought it may still hold it for a moment.
    while access(path, F_OK) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    await pipeline.close()
  }

  @Test func `an allowance that began earlier is spent earlier`() async throws {
    let pipeline = try pipeline()
    var terms = terms
    terms.start = Stopwatch.system.now - .seconds(31)
    let reference = AttachmentReference(.local(Self.picture.path))
    let report = await pipeline.check(reference, under: terms)
    await pipeline.close()
    #expect(report.verdict.errorCode == "budget-spent")
  }

  @Test(arguments: [true, false])
  func `a line that was waited in before is told, and charged where time runs`(
    runs: Bool
  ) async throws {
    let pipeline = try pipeline()
    var terms = terms
    terms.waited = .seconds(7)
    if runs { terms.start = Stopwatch.system.now - .seconds(7) }
    let reference = AttachmentReference(.local(Self.picture.path))
    let ledger = await pipeline.check(reference, under: terms).ledger
    await pipeline.close()
    #expect(ledger.duration(of: .queue) >= .seconds(7))
    #expect((ledger.spent >= .seconds(7)) == runs)
    #expect(ledger.duration(of: .wait) < .seconds(7))
  }

  @Test func `a line that was waited in before the allowance began is told, and not charged`()
    async throws
  {
    let pipeline = try pipeline()
    var terms = terms
    terms.start = Stopwatch.system.now
    terms.waitedBefore = .seconds(7)
    let reference = AttachmentReference(.local(Self.picture.path))
    let ledger = await pipeline.check(reference, under: terms).ledger
    await pipeline.close()
    #expect(ledger.duration(of: .queue) >= .seconds(7))
    #expect(ledger.spent < .seconds(7))
    #expect(ledger.entries.reduce(.zero) { $0 + $1.duration } == ledger.spent + .seconds(7))
  }

  @Test func `waiting for a slot ends with an allowance that runs`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let pipeline = try pipeline { $0.downloading.perHost = 1 }
    let slow = origin.url(.stalling(after: 10, of: Self.picture.bytes), named: "a.jpg")
    async let first = pipeline.check(AttachmentReference(source: slow))
    #expect(await origin.received(1))
    var terms = terms
    terms.allowance = .milliseconds(100)
    terms.start = Stopwatch.system.now
    // The same host, or the origin's raw port would be another.
    let second = await pipeline.check(AttachmentReference(source: slow + "?2"), under: terms)
    #expect(second.verdict.errorCode == "budget-spent")
    await pipeline.close()
    #expect(await first.verdict.errorCode == "cancelled")
  }

  @Test func `only checks under the same terms share a transfer`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let pipeline = try pipeline()
    // Two seconds, so that the others come while the first is under way.
    let url = origin.url(
      .dripping(bytesPerSecond: Self.picture.bytes.count / 2, of: Self.picture.bytes),
      named: "a.jpg"
    )
    var other = terms
    other.previews = []
    async let first = pipeline.check(AttachmentReference(source: url), under: terms)
    #expect(await origin.received(1))
    async let second = pipeline.check(AttachmentReference(source: url), under: terms)
    async let third = pipeline.check(AttachmentReference(source: url), under: other)
    let previews = await [first, second, third].map(\.previews.count)
    await pipeline.close()
    #expect(previews == [1, 1, 0])
    #expect(origin.requests.count == 2)
  }
}

extension Verdict {
  fileprivate var errorCode: String? {
    if case .unobtainable(let error) = self { error.code } else { nil }
  }
}
