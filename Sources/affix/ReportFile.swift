import Cryptography
import Glibc
import Pipeline
import Reporting
import Threading

/// A report on a whole run, in a file beside the normal output.
///
/// What stands for each source goes into a nameless file as it is finished, so that the memory
/// does not grow with the run; head and foot are put around it at the end. A run that is
/// interrupted or killed leaves nothing behind.
final class ReportFile: Sendable {
  /// Takes what stands for each source.
  let outlet: ReportOutlet

  private let document: any ReportDocument
  private let destination: OutputFile
  private let pieces: CInt

  /// Looks whether the file can be made, before time is spent on what is to stand in it.
  ///
  /// - Parameters:
  ///   - format: What to write.
  ///   - path: Where to.
  ///   - isOrdered: Whether sources stand in the order given.
  ///   - temporaryFolder: Where pieces gather if the path is no file but a pipe or a device.
  /// - Throws: Where nothing can be written.
  init(
    _ format: ReportFormat,
    path: String,
    isOrdered: Bool,
    temporaryFolder: String
  ) throws(UsageError) {
    document = format.document
    destination = try OutputFile(path, for: .check)
    let folder = destination.folder ?? temporaryFolder
    let name = "\(folder)/.affix-\(RandomName.make())"
    pieces = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard pieces >= 0 else {
      let reason = String(cString: strerror(errno))
      throw UsageError("the report '\(path)' cannot be made: \(reason)", command: .check)
    }
    unlink(name)
    outlet = ReportOutlet(
      stream: ReportStream(
        to: pieces,
        isOrdered: isOrdered,
        thread: JobThreads.forBlockingCalls()
      ),
      render: { [document] in Array(document.piece(for: $0).utf8) }
    )
  }

  deinit {
    close(pieces)
  }

  /// Puts the file together; blocks.
  ///
  /// - Parameter summary: The run's figures.
  /// - Returns: Why there is no report, if so.
  func finish(_ summary: RunSummary) async -> StandardOutput.Failure? {
    await outlet.stream.finish()
    if let failure = outlet.stream.failure { return failure }
    return destination.write { descriptor throws(StandardOutput.Failure) in
      try StandardOutput.write(document.head(summary).utf8, to: descriptor)
      try copyPieces(to: descriptor)
      try StandardOutput.write(document.foot(summary).utf8, to: descriptor)
    }
  }

  private func copyPieces(to descriptor: CInt) throws(StandardOutput.Failure) {
    // The first piece has nothing before it to be separated from.
    var offset = off_t(document.separator.utf8.count)
    var piece = [UInt8](repeating: 0, count: 64 * 1_024)
    while true {
      let count = pread(pieces, &piece, piece.count, offset)
      if count == 0 { return }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .failed(errno) }
      // A signal leaves less time than a long report takes.
      guard !Task.isCancelled else { throw .failed(ECANCELED) }
      try StandardOutput.write(piece.prefix(count), to: descriptor)
      offset += off_t(count)
    }
  }
}
