import AttachmentModel
import Downloading
import Pipeline
import PolicyChecking
import TestSupport
import Testing

/// Callers who ask for one address at the same time.
@Suite(.timeLimit(.minutes(1)))
struct SharedChecksTests {
  private static let picture = Fixture("jpeg/valid/photo-1600x1200.jpg")

  private func pipeline() throws -> AttachmentPipeline {
    var configuration = AttachmentPipeline.Configuration(
      policies: ["push"].compactMap(AttachmentPolicy.builtIn),
      workers: 1
    )
    configuration.downloading.addresses.allowsPrivateAddresses = true
    return try AttachmentPipeline(configuration)
  }

  @Test func `who gives up does not wait for the others`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let pipeline = try pipeline()
    let reference = AttachmentReference(
      source: origin.url(.stalling(after: 10, of: Self.picture.bytes), named: "a.jpg")
    )
    async let patient = pipeline.check(reference)
    #expect(await origin.received(1))
    let hasty = Task { await pipeline.check(reference) }
    hasty.cancel()
    #expect(await hasty.value.errorCode == "cancelled")
    // The other one is still under way: only the end of the pipeline ends it.
    await pipeline.close()
    #expect(await patient.errorCode == "cancelled")
    #expect(origin.requests.count == 1)
  }

  @Test func `who stays gets the report`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let pipeline = try pipeline()
    // A second, so that both come while the transfer is under way.
    let url = origin.url(
      .dripping(bytesPerSecond: Self.picture.bytes.count, of: Self.picture.bytes),
      named: "a.jpg"
    )
    let hasty = Task { await pipeline.check(AttachmentReference(source: url)) }
    #expect(await origin.received(1))
    async let patient = pipeline.check(AttachmentReference(source: url))
    hasty.cancel()
    #expect(await hasty.value.errorCode == "cancelled")
    #expect(await patient.verdict == .deliverable)
    await pipeline.close()
  }

  @Test func `hundreds who come and go leave the others their report`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let pipeline = try pipeline()
    let bytes = Self.picture.bytes
    let urls = (0..<4).map { _ in
      origin.url(.dripping(bytesPerSecond: bytes.count * 4, of: bytes), named: "a.jpg")
    }
    let callers = (0..<400).map { index in
      Task { await pipeline.check(AttachmentReference(source: urls[index % 4])) }
    }
    // Those of the last address give up one and all.
    for (index, caller) in callers.enumerated().shuffled() where index % 4 == 3 || index % 5 > 0 {
      caller.cancel()
      if index % 8 == 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
    for (index, caller) in callers.enumerated() {
      let report = await caller.value
      #expect(report.source == urls[index % 4])
      if index % 4 == 3 || index % 5 > 0 {
        #expect(report.errorCode == "cancelled" || report.verdict == .deliverable)
      } else {
        #expect(report.verdict == .deliverable)
      }
    }
    await pipeline.close()
    #expect(await origin.becameIdle())
  }
}

extension AttachmentReport {
  fileprivate var errorCode: String? {
    if case .unobtainable(let error) = verdict { error.code } else { nil }
  }
}
