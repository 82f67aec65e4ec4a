import AttachmentModel
import Downloading
import Glibc
import Measuring
import TimeBudgets

/// Very many slow transfers at once: the peak memory above the idle engine.
///
/// They run for so many seconds and are then cancelled.
@main
enum DownloadsMemory {
  static func main() async throws {
    let options = CommandLineOptions()
    let address = options.text("address")
    let count = options.number("transfers", default: 1_000)
    let patience = Duration.seconds(options.number("seconds", default: 20))

    var configuration = Downloader.Configuration()
    configuration.retries = 0
    configuration.concurrency = count
    configuration.perHost = count
    configuration.connectTimeout = .seconds(30)
    configuration.firstByteTimeout = .seconds(30)
    configuration.addresses = AddressPolicy(allowsPrivateAddresses: true)
    configuration.certificateAuthorities = options.optionalText("authorities")
    let directory = try AttachmentDirectory(in: options.text("folder"))
    let downloader = try Downloader(
      configuration,
      into: directory,
      loops: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
    )
    let idle = ProcessFigures.now()
    ProcessFigures.resetPeak()

    let transfers = Task {
      await withTaskGroup(of: DownloadError.Code.self) { group in
        for index in 0..<count {
          // Addresses differ, so that no two transfers are one.
          group.addTask { await fetch("\(address)?\(index)", downloader) }
        }
        var codes: [DownloadError.Code: Int] = [:]
        for await code in group { codes[code, default: 0] += 1 }
        return codes
      }
    }
    try await Task.sleep(for: patience)
    let busy = ProcessFigures.now()
    let stored = entryCount(ofFolder: directory.path) ?? 0
    let received = downloader.receivedBytes.bytes
    let moment = Stopwatch.system.now
    transfers.cancel()
    let codes = await transfers.value
    let cancelling = Stopwatch.system.now - moment

    await downloader.stop()
    let left = (entryCount(ofFolder: directory.path) ?? 1) - 1
    directory.remove()
    for (code, number) in codes where code != .cancelled {
      writeLine("bench: \(number) of \(count): \(code.rawValue)", to: 2)
    }
    writeLine(
      #"{"transfers":\#(count),"receiving":\#(stored - 1),"received_bytes":\#(received),"#
        + #""cancelled":\#(codes[.cancelled] ?? 0),"cancelled_within_ms":\#(cancelling.milliseconds),"#
        + #""idle_kb":\#(idle.residentKilobytes),"peak_kb":\#(busy.peakKilobytes),"#
        + #""above_idle_kb":\#(busy.peakKilobytes - idle.residentKilobytes),"#
        + #""descriptors":\#(busy.descriptors),"threads":\#(busy.threads),"files_left":\#(left)}"#
    )
  }

  /// Fetches until the end or the cancellation, and tells how it ended.
  private static func fetch(_ address: String, _ downloader: Downloader) async -> DownloadError.Code
  {
    do throws(DownloadError) {
      let slot = try await downloader.slot(for: address)
      _ = try await downloader.download(
        in: slot,
        within: TimeBudget(.seconds(600)),
        screening: ScreeningRules(sizeLimit: .megabytes(50))
      )
      // Whoever is done before the cancellation was not throttled enough.
      return .protocolError
    } catch {
      return error.code
    }
  }
}
