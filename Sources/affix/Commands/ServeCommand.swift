import DecoderSandbox
import Downloading
import HTTPService
import Observability
import Pipeline

/// `affix serve`: the service, until a signal comes.
struct ServeCommand: Sendable {
  let settings: Settings
  let operands: [String]
  let environment: Environment

  /// Serves; comes back once the service has drained.
  func run() async throws(UsageError) -> ExitStatus {
    guard operands.isEmpty else {
      throw UsageError("serve takes no operands, only options", command: .serve)
    }
    let configuration = try settings.serviceConfiguration(environment)
    if let problem = configuration.validate() { throw UsageError(problem, command: .serve) }
    let examiner: any FileExamining
    let pipeline: AttachmentPipeline
    do throws(PipelineError) {
      examiner = try settings.examiner(sources: .max)
      pipeline = try AttachmentPipeline(
        settings.pipelineConfiguration(environment),
        examiner: examiner
      )
    } catch {
      return error.report()
    }
    let status = await serve(configuration, over: pipeline)
    await pipeline.close()
    examiner.close()
    if let notice = examiner.notice { StandardError.print("affix serve: \(notice)") }
    return status
  }

  private func serve(
    _ configuration: HTTPService.Configuration,
    over pipeline: AttachmentPipeline
  ) async -> ExitStatus {
    let log = StructuredLog(least: settings.logLevel)
    let service: HTTPService
    do throws(ServiceError) {
      try Self.makeFolder(configuration.resultsFolder)
      service = try HTTPService(configuration, over: pipeline, log: log)
    } catch {
      StandardError.print("affix serve: \(error.code.rawValue): \(error.message)")
      return error.code == .invalidConfiguration ? .usage : .fault
    }
    let notification = ServiceNotification(environment)
    log.write(
      .info,
      "listening",
      [
        "address": .text(configuration.address), "port": .number(Int64(service.port)),
        "scheme": .text(configuration.certificate == nil ? "http" : "https"),
        "version": .text(configuration.version),
      ]
    )
    notification.send("READY=1")
    await Self.untilCancelled()
    log.write(.info, "draining")
    notification.send("STOPPING=1")
    // Detached, since this task is cancelled already, and draining takes its time.
    await Task.detached { await service.drain() }.value
    log.write(.info, "stopped")
    return .success
  }

  /// A signal cancels the task that runs this command.
  private static func untilCancelled() async {
    let (never, end) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    end.finish()
  }

  private static func makeFolder(_ path: String) throws(ServiceError) {
    do throws(DownloadError) {
      try AttachmentDirectory.makeFolder(path)
    } catch {
      throw ServiceError(.storageUnavailable, error.message)
    }
  }
}
