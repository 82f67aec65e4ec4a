import AttachmentModel
import DecoderSandbox
import Downloading
import Foundation
import Pipeline
import PolicyChecking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AttachmentPipelineTests {
  private func configuration(_ policies: String...) -> AttachmentPipeline.Configuration {
    AttachmentPipeline.Configuration(
      policies: policies.compactMap(AttachmentPolicy.builtIn),
      workers: 2
    )
  }

  private func reference(_ fixture: String) -> AttachmentReference {
    AttachmentReference(.local(Fixture(fixture).path))
  }

  @Test func `a sound picture is deliverable and has a preview`() async throws {
    let pipeline = try AttachmentPipeline(configuration("push"))
    let report = await pipeline.check(reference("jpeg/valid/photo-1600x1200.jpg"))
    await pipeline.close()
    #expect(report.verdict == .deliverable)
    guard case .rendered(let preview)? = report.previews.first?.outcome else {
      Issue.record("no preview: \(report.previews)")
      return
    }
    #expect(preview.bytes.count <= 300_000)
    #expect(max(preview.width, preview.height) == 1_440)
  }

  @Test func `a rejected picture still gets its preview`() async throws {
    var children = CagedExaminer.Configuration(children: 1)
    children.executable = try CommandRun.affix
    let examiner = try CagedExaminer(children)
    defer { examiner.close() }
    let pipeline = try AttachmentPipeline(configuration("push"), examiner: examiner)
    let report = await pipeline.check(reference("webp/valid/still.webp"))
    await pipeline.close()
    #expect(report.verdict == .rejected)
    #expect(report.violations.map(\.code) == [.unsupportedType])
    guard case .rendered? = report.previews.first?.outcome else {
      Issue.record("no preview: \(report.previews)")
      return
    }
  }

  @Test func `without a cage only the decoders that everybody fuzzes are used`() async throws {
    let pipeline = try AttachmentPipeline(configuration("push"))
    let report = await pipeline.check(reference("webp/valid/still.webp"))
    await pipeline.close()
    #expect(report.verdict == .rejected)
    guard case .unavailable(let error)? = report.previews.first?.outcome else {
      Issue.record("a preview: \(report.previews)")
      return
    }
    #expect(error.code == .undecodable)
  }

  @Test func `the cover of a sound becomes its preview`() async throws {
    let pipeline = try AttachmentPipeline(configuration("push"))
    let report = await pipeline.check(reference("m4a-aac/valid/cover.m4a"))
    await pipeline.close()
    guard case .rendered? = report.previews.first?.outcome else {
      Issue.record("no preview: \(report.previews)")
      return
    }
  }

  @Test func `a cover is decoded where it lies, whatever room there is on the disk`() async throws {
    var configuration = configuration("push")
    configuration.quota = ByteCount(1)
    let pipeline = try AttachmentPipeline(configuration)
    let report = await pipeline.check(reference("m4a-aac/valid/cover.m4a"))
    await pipeline.close()
    #expect(report.verdict == .deliverable)
    guard case .rendered? = report.previews.first?.outcome else {
      Issue.record("no preview: \(report.previews)")
      return
    }
  }

  @Test func `the worst of several policies is the verdict`() async throws {
    let pipeline = try AttachmentPipeline(configuration("push", "apple"))
    let report = await pipeline.check(reference("aac-adts/valid/plain.aac"))
    await pipeline.close()
    #expect(report.verdict == .rejected)
    #expect(report.policies.map(\.policy) == ["push", "apple"])
    #expect(report.policies.map(\.findings.violations.isEmpty) == [true, false])
  }

  @Test func `a budget that is spent before inspection is an error, not a verdict`() async throws {
    var configuration = configuration("push")
    configuration.terms.allowance = .nanoseconds(1)
    let pipeline = try AttachmentPipeline(configuration)
    let report = await pipeline.check(reference("jpeg/valid/baseline.jpg"))
    await pipeline.close()
    guard case .unobtainable(let error) = report.verdict else {
      Issue.record("verdict \(report.verdict)")
      return
    }
    #expect(error.code == "budget-spent")
  }

  @Test func `files and previews are kept under their digest`() async throws {
    let folder = try TemporaryFolder()
    var configuration = configuration("push")
    configuration.outputFolder = folder.path(of: "deep/kept")
    let pipeline = try AttachmentPipeline(configuration)
    let report = await pipeline.check(reference("png/valid/rgb.png"))
    await pipeline.close()
    let digest = try #require(report.file?.sha256)
    let names = folder.contents.filter { $0.hasPrefix("deep/kept/") && !$0.hasSuffix("/") }
    #expect(names.contains("deep/kept/\(digest).png"))
    #expect(names.contains { $0.hasPrefix("deep/kept/\(digest)-") })
    #expect(names.count == 2)
    #expect(folder.read("deep/kept/\(digest).png") == Fixture("png/valid/rgb.png").bytes)
  }

  @Test func `a cancelled check ends at once and says so`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    var configuration = configuration("push")
    configuration.downloading.addresses.allowsPrivateAddresses = true
    let pipeline = try AttachmentPipeline(configuration)
    let url = origin.url(.silent, named: "a.jpg")
    let check = Task { await pipeline.check(AttachmentReference(source: url)) }
    #expect(await origin.received(1))
    check.cancel()
    let report = await check.value
    guard case .unobtainable(let error) = report.verdict else {
      Issue.record("verdict \(report.verdict)")
      return
    }
    #expect(error.code == "cancelled")
    await pipeline.close()
  }

  @Test(.disabled(if: Sanitizer.isActive, "a sanitized look takes ten times as long"))
  func `files that take long to look at hold up no other source's deadline`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    var configuration = configuration("push")
    configuration.terms.decodesPixels = false
    configuration.terms.previews = []
    configuration.terms.allowance = .seconds(2)
    configuration.downloading.retries = 0
    configuration.downloading.concurrency = 128
    configuration.downloading.perHost = 128
    configuration.downloading.addresses.allowsPrivateAddresses = true
    let pipeline = try AttachmentPipeline(configuration)
    let silent = origin.url(.silent, named: "silent.jpg")
    let late = Task { await pipeline.check(AttachmentReference(source: silent)) }
    #expect(await origin.received(1))
    try await Task.sleep(for: .milliseconds(1_700))
    // Each further beginning of a picture is looked into.
    let slow =
      Fixture("jpeg/valid/baseline.jpg").bytes
      + Array(repeating: [0xFF, 0xD8, 0xFF] as [UInt8], count: 80_000).joined()
    let url = origin.url(.body(slow), named: "slow.jpg")
    await withTaskGroup { group in
      for index in 0..<96 {
        group.addTask { _ = await pipeline.check(AttachmentReference(source: "\(url)?\(index)")) }
      }
    }
    let total = try #require(await late.value.evidence.transfer?.total)
    #expect(total < .seconds(3), "it took \(total)")
    await pipeline.close()
  }

  @Test func `a small file takes no room while there is no time for it between transfers`()
    async throws
  {
    let origin = try OriginServer()
    defer { origin.stop() }
    var configuration = configuration("push")
    configuration.terms.decodesPixels = false
    configuration.terms.previews = []
    configuration.quota = ByteCount(1)
    configuration.downloading.addresses.allowsPrivateAddresses = true
    let pipeline = try AttachmentPipeline(configuration)
    let picture = Fixture("jpeg/valid/baseline.jpg").bytes
    // Each further beginning of a picture is looked into.
    let slow = picture + Array(repeating: [0xFF, 0xD8, 0xFF] as [UInt8], count: 30_000).joined()
    for body in [slow, picture] {
      let url = origin.url(.body(body), named: "a.jpg")
      let report = await pipeline.check(AttachmentReference(source: url))
      #expect(report.evidence.inspection != nil, "\(report.verdict)")
    }
    await pipeline.close()
  }

  @Test func `a check after the end is cancelled, not forgotten`() async throws {
    let pipeline = try AttachmentPipeline(configuration("push"))
    await pipeline.close()
    let report = await pipeline.check(AttachmentReference(source: "http://192.0.2.1/a.jpg"))
    guard case .unobtainable(let error) = report.verdict else {
      Issue.record("verdict \(report.verdict)")
      return
    }
    #expect(error.code == "cancelled")
  }

  @Test func `a configuration that contradicts itself is refused`() {
    var configuration = configuration("push")
    configuration.terms.allowance = .zero
    #expect(throws: PipelineError.self) { try AttachmentPipeline(configuration) }
    configuration.terms.allowance = .seconds(1)
    configuration.terms.policies = []
    #expect(throws: PipelineError.self) { try AttachmentPipeline(configuration) }
  }

  @Test func `the README shows the example that is compiled here`() async throws {
    let folder = Fixture.projectFolder
    let readme = try String(contentsOfFile: "\(folder)/README.md", encoding: .utf8)
    let example = try String(
      contentsOfFile: "\(folder)/Tests/PipelineTests/EmbeddingExample.swift",
      encoding: .utf8
    )
    #expect(readme.contains(example))
    let origin = try OriginServer()
    defer { origin.stop() }
    let photo = OriginServer.Behavior.body(Fixture("jpeg/valid/photo-1600x1200.jpg").bytes)
    let (sound, misnamed) = (origin.url(photo, named: "a.jpg"), origin.url(photo, named: "a.mp3"))
    guard case .none(let reason) = try await safeAttachment(sound, mediaNetwork: nil) else {
      Issue.record("a private address was asked")
      return
    }
    #expect(reason.contains("(--allow-address)") && origin.requests.isEmpty, "\(reason)")
    let network = "127.0.0.1/32"
    #expect(try await safeAttachment(sound, mediaNetwork: network) == .original(sound))
    guard case .preview(let bytes) = try await safeAttachment(misnamed, mediaNetwork: network)
    else {
      Issue.record("there is no preview")
      return
    }
    #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.count <= 100_000)
  }

  @Test func `an empty query is sent as one`() async throws {
    let origin = try OriginServer()
    defer { origin.stop() }
    let picture = OriginServer.Behavior.body(Fixture("jpeg/valid/baseline.jpg").bytes)
    let direct = origin.url(picture, named: "a.jpg") + "?"
    let hop = origin.url(.redirect(to: direct), named: "b.jpg")
    var configuration = configuration("push")
    configuration.downloading.addresses.allowsPrivateAddresses = true
    let pipeline = try AttachmentPipeline(configuration)
    for url in [direct, "\(direct)#top", hop] {
      let report = await pipeline.check(AttachmentReference(source: url))
      #expect(report.verdict == .deliverable)
      #expect(report.evidence.transfer?.url == direct)
    }
    await pipeline.close()
    #expect(origin.requests.map(\.target).filter { $0.hasSuffix("a.jpg?") }.count == 3)
  }
}
