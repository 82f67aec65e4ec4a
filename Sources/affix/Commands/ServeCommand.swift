import DecoderSandbox
import HTTPService
import Observability
import Pipeline
import Threading

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
    let status = await serve(configuration, over: pipeline, examiner)
    await pipeline.close()
    examiner.close()
    return status
  }

  private func serve(
    _ configuration: HTTPService.Configuration,
    over pipeline: AttachmentPipeline,
    _ examiner: any FileExamining
  ) async -> ExitStatus {
    let log = StructuredLog(least: settings.logLevel)
    if let fault = await Self.fault(of: examiner) { return fault.report() }
    if let notice = examiner.notice {
      log.write(.warning, "unprotected", ["message": .text(notice)])
    }
    let service: HTTPService
    do throws(ServiceError) {
      service = try HTTPService(configuration, over: pipeline, log: log)
    } catch {
      let advice = Self.advice(on: error.code).map { "; \($0)" } ?? ""
      StandardError.print("affix serve: \(error.code.rawValue): \(error.message)\(advice)")
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

  /// What to do where the service cannot start.
  private static func advice(on code: ServiceError.Code) -> String? {
    switch code {
    case .addressUnavailable: "name another one with --listen ADDRESS:PORT"
    case .storageUnavailable: "name a folder that you may write to with --results DIR"
    case .invalidCertificate: "name such a pair with --tls-certificate and --tls-key"
    default: nil
    }
  }

  /// Waits for the examiner: who is told that the service is ready gets the first answer as soon as
  /// any other.
  ///
  /// - Parameter examiner: What the service is to examine files with.
  /// - Returns: Why it can examine none, if so.
  private static func fault(of examiner: any FileExamining) async -> PipelineError? {
    let threads = JobThreads.forBlockingCalls()
    defer { threads.stop() }
    return await withCheckedContinuation { continuation in
      threads.submit {
        do throws(ExaminationError) {
          try examiner.awaitReadiness()
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: PipelineError(.libraryUnavailable, error.message))
        }
      }
    }
  }

  /// A signal cancels the task that runs this command.
  private static func untilCancelled() async {
    let (never, end) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    end.finish()
  }
}
