import AttachmentModel
import Downloading
import Glibc
import Measuring
import TimeBudgets

/// Measures how exactly each deadline is kept, one transfer at a time.
///
/// Prints one JSON object a case: the deadline and the measured times, in milliseconds.
@main
enum DownloadsFaults {
  static func main() async throws {
    let options = CommandLineOptions()
    let repetitions = options.number("repetitions", default: 10)
    let directory = try AttachmentDirectory(in: options.text("folder"))
    let silent = try SilentPort()
    let cases = DeadlineCase.all(
      origin: options.text("origin"),
      silentPort: silent.port,
      deadline: .milliseconds(options.number("deadline", default: 500))
    )
    var failed = false
    for deadlineCase in cases {
      let downloader = try Downloader(deadlineCase.configuration, into: directory)
      var times: [Double] = []
      for _ in 0..<repetitions {
        let (elapsed, code) = await measure(deadlineCase, downloader)
        times.append(elapsed.milliseconds)
        if code != deadlineCase.code {
          failed = true
          let found = code?.rawValue ?? "nothing"
          writeLine(
            "bench: \(deadlineCase.name): \(found), not \(deadlineCase.code.rawValue)",
            to: 2
          )
        }
      }
      await downloader.stop()
      let list = times.map { "\($0)" }.joined(separator: ",")
      writeLine(
        #"{"case":"\#(deadlineCase.name)","deadline_ms":\#(deadlineCase.expected.milliseconds),"#
          + #""is_cancellation":\#(deadlineCase.cancelAfter != nil),"times_ms":[\#(list)]}"#
      )
    }
    let left = (entryCount(ofFolder: directory.path) ?? 1) - 1
    if left != 0 { stop("\(left) files are left behind") }
    directory.remove()
    exit(failed ? 1 : 0)
  }

  /// Runs a case to its end; for a cancellation, the time counts from the cancelling.
  private static func measure(
    _ deadlineCase: DeadlineCase,
    _ downloader: Downloader
  ) async -> (Duration, DownloadError.Code?) {
    let start = Stopwatch.system.now
    let transfer = Task { () -> (Duration, DownloadError.Code?) in
      let code = await fetch(deadlineCase, downloader)
      return (Stopwatch.system.now, code)
    }
    guard let patience = deadlineCase.cancelAfter else {
      let (end, code) = await transfer.value
      return (end - start, code)
    }
    try? await Task.sleep(for: patience)
    let moment = Stopwatch.system.now
    transfer.cancel()
    let (end, code) = await transfer.value
    return (end - moment, code)
  }

  private static func fetch(
    _ deadlineCase: DeadlineCase,
    _ downloader: Downloader
  ) async -> DownloadError.Code? {
    do throws(DownloadError) {
      let slot = try await downloader.slot(for: deadlineCase.address)
      _ = try await downloader.download(
        in: slot,
        within: TimeBudget(deadlineCase.budget),
        screening: ScreeningRules(sizeLimit: .megabytes(100))
      )
      return nil
    } catch {
      return error.code
    }
  }
}
