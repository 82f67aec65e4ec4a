import AttachmentModel
import Pipeline
import PolicyChecking

/// What a push back end does before it sends: the README's example, compiled.
func safeAttachment(_ address: String) async throws -> String? {
  guard let policy = AttachmentPolicy.builtIn("apple") else { return nil }
  var configuration = AttachmentPipeline.Configuration(policies: [policy], workers: 2)
  configuration.terms.allowance = .seconds(10)
  let pipeline = try AttachmentPipeline(configuration)
  let report = await pipeline.check(AttachmentReference(source: address))
  await pipeline.close()
  switch report.verdict {
  case .deliverable: return address
  case .rejected: print(report.violations.map(\.message))
  case .unobtainable(let error): print(error.message)
  }
  return nil
}
