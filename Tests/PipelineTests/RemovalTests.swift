import Downloading
import Pipeline
import PolicyChecking
import TestSupport
import Testing

/// A run's files are gone when whoever removes them is told so.
@Suite(.timeLimit(.minutes(1)))
struct RemovalTests {
  @Test func `who removes the directory second comes back no sooner than it is gone`() async throws
  {
    let folder = try TemporaryFolder()
    var configuration = AttachmentPipeline.Configuration(
      policies: ["push"].compactMap(AttachmentPolicy.builtIn),
      workers: 1
    )
    configuration.temporaryFolder = folder.path
    let pipeline = try AttachmentPipeline(configuration)
    // Enough of them that removing all takes a while.
    for _ in 0..<4_000 { _ = try pipeline.makeUpload().finish() }
    #expect(folder.contents.count > 4_000)
    let leftovers = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        await pipeline.close()
        return folder.contents.count
      }
      for _ in 0..<3 {
        group.addTask {
          pipeline.abandon()
          return folder.contents.count
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(leftovers == [0, 0, 0, 0])
  }
}
