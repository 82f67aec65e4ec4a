import AttachmentModel
import Downloading
import Glibc
import Measuring
import TimeBudgets

/// The bare engine over a list of addresses: transfers into files, and nothing else.
///
/// The files stay until the end; with `--leave yes` they stay for whoever counts them from outside,
/// as those of any other client do, otherwise they are counted and removed here.
@main
enum DownloadsEngine {
  /// What a worker, or all of them, found.
  private struct Tally: Sendable {
    var files = 0
    var bytes: Int64 = 0
    var failures: [String] = []

    mutating func add(_ other: Tally) {
      files += other.files
      bytes += other.bytes
      failures += other.failures
    }
  }

  static func main() async throws {
    let options = CommandLineOptions()
    let addresses = lines(ofFile: options.text("list"))
    let width = options.number("concurrency", default: 16)
    let start = Stopwatch.system.now

    var configuration = Downloader.Configuration()
    configuration.concurrency = width
    configuration.perHost = width
    configuration.addresses = AddressPolicy(allowsPrivateAddresses: true)
    let directory = try AttachmentDirectory(in: options.text("folder"))
    let downloader = try Downloader(
      configuration,
      into: directory,
      loops: options.number("loops", default: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
    )

    let cursor = IndexCursor(addresses.indices)
    let result = await withTaskGroup(of: Tally.self) { group in
      for _ in 0..<width {
        let executor = downloader.executor
        group.addTask(executorPreference: executor) {
          var tally = Tally()
          while let index = cursor.next() { await fetch(addresses[index], downloader, &tally) }
          return tally
        }
      }
      var all = Tally()
      for await tally in group { all.add(tally) }
      return all
    }
    let elapsed = Stopwatch.system.now - start
    await finish(directory, downloader, leaving: options.optionalText("leave") == "yes", result)
    writeLine(
      #"{"files":\#(result.files),"bytes":\#(result.bytes),"ms":\#(elapsed.milliseconds)}"#
    )
    exit(result.failures.isEmpty && result.files == addresses.count ? 0 : 1)
  }

  private static func fetch(_ address: String, _ downloader: Downloader, _ tally: inout Tally) async
  {
    do throws(DownloadError) {
      let slot = try await downloader.slot(for: address)
      let download = try await downloader.download(
        in: slot,
        within: TimeBudget(.seconds(60)),
        screening: ScreeningRules(sizeLimit: .megabytes(100))
      )
      guard case .completed(let file?) = download.ending else {
        tally.failures.append("\(address): no file")
        return
      }
      tally.files += 1
      tally.bytes += file.size.bytes
    } catch {
      tally.failures.append("\(address): \(error.code.rawValue): \(error.message)")
    }
  }

  private static func finish(
    _ directory: AttachmentDirectory,
    _ downloader: Downloader,
    leaving: Bool,
    _ result: Tally
  ) async {
    for failure in result.failures.prefix(5) { writeLine("bench: \(failure)", to: 2) }
    // The process is about to go, which ends the loops and closes every file: the folder stays.
    if leaving { return }
    await downloader.stop()
    // The lock file is one of the entries.
    let stored = (entryCount(ofFolder: directory.path) ?? 1) - 1
    if stored != result.files { stop("\(stored) files are stored, \(result.files) were answered") }
    directory.remove()
    if entryCount(ofFolder: directory.path) != nil { stop("\(directory.path) is still there") }
  }
}
