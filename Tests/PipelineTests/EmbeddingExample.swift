import AttachmentModel
import Downloading
import Pipeline
import PolicyChecking

/// What a push back end attaches: the README's example, compiled.
enum SafeAttachment: Equatable {
  /// The media as it is.
  case original(String)
  /// A small picture in its place, to be uploaded and sent by an address of its own.
  case preview([UInt8])
  /// The push goes out as text, for this reason.
  case none(String)
}

/// What a push back end does before it sends.
///
/// Private addresses are refused, so that no address leads to your other machines; where your own
/// media are there, name their network.
func safeAttachment(_ address: String, mediaNetwork: String?) async throws -> SafeAttachment {
  let policies = ["apple"].compactMap(AttachmentPolicy.builtIn)
  var configuration = AttachmentPipeline.Configuration(policies: policies, workers: 2)
  configuration.terms.allowance = .seconds(10)
  configuration.terms.previews = [PreviewRequest(size: .longEdge(800), limit: .kilobytes(100))]
  if let network = mediaNetwork.flatMap(AddressRange.init) {
    configuration.downloading.addresses.allowedNetworks = [network]
  }
  let pipeline = try AttachmentPipeline(configuration)
  let report = await pipeline.check(AttachmentReference(source: address))
  await pipeline.close()
  switch (report.verdict, report.previews.first?.outcome) {
  case (.deliverable, _): return .original(address)
  case (.rejected, .rendered(let preview)?): return .preview(preview.bytes)
  case (.rejected, _): return .none(report.violations.map(\.message).joined(separator: "; "))
  case (.unobtainable(let error), _): return .none(error.message)
  }
}
