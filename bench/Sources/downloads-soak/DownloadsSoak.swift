import AttachmentModel
import Downloading
import Glibc
import Measuring
import TimeBudgets

/// Tens of thousands of transfers in one process, every tenth from a faulty origin.
///
/// All are awaited at the tenth part and again at the end, so that both samples are of an idle
/// engine. Prints what was held then, and which answers were not the expected ones.
@main
enum DownloadsSoak {
  private static let width = 32

  static func main() async throws {
    let options = CommandLineOptions()
    let count = options.number("transfers", default: 50_000)
    let parent = options.text("folder")
    let sources = SoakSources(
      good: lines(ofFile: options.text("list")),
      faulty: options.text("origin"),
      refusedPort: options.number("refused-port", default: 1)
    )
    let loops = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
    let start = ProcessFigures.now()

    var configuration = Downloader.Configuration()
    configuration.retries = 0
    configuration.concurrency = width
    configuration.perHost = width
    configuration.stallTimeout = .milliseconds(400)
    configuration.addresses = AddressPolicy(allowsPrivateAddresses: true)
    let directory = try AttachmentDirectory(in: parent)
    let downloader = try Downloader(
      configuration,
      into: directory,
      loops: loops
    )

    let ledger = AnswerLedger(count: count)
    let mark = count / 10
    await run(0..<mark, sources, downloader, directory, ledger)
    let atMark = ProcessFigures.now()
    await run(mark..<count, sources, downloader, directory, ledger)
    let atEnd = ProcessFigures.now()

    let left = (entryCount(ofFolder: directory.path) ?? 1) - 1
    await downloader.stop()
    directory.remove()
    let folders = entryCount(ofFolder: parent) ?? 0
    let summary = ledger.summary
    for line in summary.unexpected.prefix(10) { writeLine("bench: \(line)", to: 2) }
    writeLine(
      #"{"transfers":\#(count),"mark":\#(mark),"answered_once":\#(summary.answeredOnce),"#
        + #""unexpected":\#(summary.unexpected.count),"files_left":\#(left),"#
        + #""folders_left":\#(folders),"most_sockets":\#(mostSockets(of: loops)),"start":{\#(start.json)},"at_mark":{\#(atMark.json)},"#
        + #""at_end":{\#(atEnd.json)},"peak_kb":\#(atEnd.peakKilobytes)}"#
    )
  }

  /// How many connections are kept at most: by each loop one more than its share of the transfers.
  private static func mostSockets(of loops: Int) -> Int {
    loops * ((width + loops - 1) / loops + 1)
  }

  private static func run(
    _ range: Range<Int>,
    _ sources: SoakSources,
    _ downloader: Downloader,
    _ directory: AttachmentDirectory,
    _ ledger: AnswerLedger
  ) async {
    let cursor = IndexCursor(range)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<width {
        group.addTask {
          while let index = cursor.next() {
            let source = sources[index]
            let answer = await fetch(source, downloader, directory)
            ledger.note(index, answer, expected: source)
          }
        }
      }
    }
  }

  private static func fetch(
    _ source: SoakSources.Source,
    _ downloader: Downloader,
    _ directory: AttachmentDirectory
  ) async -> DownloadError.Code? {
    do throws(DownloadError) {
      let slot = try await downloader.slot(for: source.address)
      let download = try await downloader.download(
        in: slot,
        within: TimeBudget(.seconds(30)),
        screening: ScreeningRules(sizeLimit: .megabytes(50))
      )
      guard case .completed(let file?) = download.ending else { return .protocolError }
      directory.discard(file)
      return nil
    } catch {
      return error.code
    }
  }
}
