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
    let other = await patient
    #expect(other.errorCode == "cancelled")
    #expect(other.evidence.transfer?.receivedBytes == ByteCount(10))
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
}

extension AttachmentReport {
  fileprivate var errorCode: String? {
    if case .unobtainable(let error) = verdict { error.code } else { nil }
  }
}
