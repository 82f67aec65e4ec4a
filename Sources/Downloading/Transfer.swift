import AttachmentModel
import Glibc
import Synchronization
import TimeBudgets

/// One source on its way through a transfer loop.
///
/// `@unchecked Sendable`. Invariant: the caller makes it and hands it to one loop; from then on
/// only that loop's thread touches it, but for `isCancelled`, which is atomic.
final class Transfer: @unchecked Sendable {
  /// How the loop is told to stop reading; libcurl's own result is then of no interest.
  enum Stop {
    case failed(DownloadError)
    case endedEarly(EarlyEnd)
    case redirected(location: [UInt8])
  }

  /// How the transfer ended.
  enum Outcome {
    case whole
    case settled(EarlyEnd)
    case failed(DownloadError)
  }

  typealias Completion = @Sendable (Result<Download, DownloadError>) -> Void

  let isCancelled = Atomic(false)
  let directory: AttachmentDirectory
  let rules: ScreeningRules
  let received: ByteCounter
  let completion: Completion

  var url: RequestURL
  /// Where the extra headers may go.
  let firstOrigin: String
  var machine: TransferStateMachine
  var parser = ResponseHeadParser()
  var stop: Stop?
  /// The address that the guard refused on this hop, and why.
  var refusedAddress: String?
  var metrics: TransferMetrics
  private var file: (descriptor: CInt, name: String)?

  init(
    url: RequestURL,
    limits: TransferStateMachine.Limits,
    rules: ScreeningRules,
    directory: AttachmentDirectory,
    received: ByteCounter,
    at time: Duration,
    completion: @escaping Completion
  ) {
    self.url = url
    self.firstOrigin = url.origin
    self.machine = TransferStateMachine(limits: limits, at: time)
    self.rules = rules
    self.directory = directory
    self.received = received
    self.completion = completion
    self.metrics = TransferMetrics(url: url.shown)
  }

  /// Takes a header line; false stops the transfer.
  func receiveHeader(_ line: UnsafeRawBufferPointer, at time: Duration) -> Bool {
    // Invariant: the buffer is libcurl's, valid for this call; it is only read.
    machine.receivedHeader(line.count, at: time)
    guard let head = parser.receive(line) else { return true }
    switch machine.receivedHead(head) {
    case .receive:
      return true
    case .follow(let location, let bodyIsShort):
      stop = .redirected(location: location)
      return bodyIsShort
    case .fail(let error):
      stop = .failed(error)
    case .endEarly(let end):
      stop = .endedEarly(end)
    }
    return false
  }

  /// Takes body bytes and writes them straight to the file; false stops the transfer.
  func receiveBody(_ bytes: UnsafeRawBufferPointer, at time: Duration) -> Bool {
    // Invariant: as above.
    if case .redirected = stop { return true }
    received.add(bytes.count)
    switch machine.receivedBody(bytes, at: time, screen: rules.judge) {
    case .store:
      guard let error = store(bytes) else { return true }
      stop = .failed(error)
    case .endEarly(let end):
      stop = .endedEarly(end)
    }
    return false
  }

  /// Goes on to the next hop.
  func follow(_ url: RequestURL, at time: Duration) {
    self.url = url
    metrics.url = url.shown
    machine.beginHop(at: time)
    parser = ResponseHeadParser()
    stop = nil
    refusedAddress = nil
  }

  /// Hands the result over; the file goes with it, or goes away.
  func complete(_ outcome: Outcome) {
    switch outcome {
    case .whole:
      let stored = file.map { file in
        AttachmentFile(
          descriptor: file.descriptor,
          size: ByteCount(machine.received),
          path: "\(directory.path)/\(file.name)"
        )
      }
      file = nil
      completion(.success(Download(ending: .completed(stored), metrics: metrics)))
    case .settled(let end):
      dropFile()
      metrics.earlyEnd = end
      metrics.sparedBytes = metrics.announcedSize.map {
        ByteCount(max(0, $0.bytes - machine.received))
      }
      let ending = Download.Ending.endedEarly(end, prefix: machine.prefix)
      completion(.success(Download(ending: ending, metrics: metrics)))
    case .failed(var error):
      dropFile()
      error.metrics = metrics
      completion(.failure(error))
    }
  }

  private func store(_ bytes: UnsafeRawBufferPointer) -> DownloadError? {
    // Invariant: as above; `done` never passes the buffer's count, so the rest lies inside it.
    if file == nil {
      do throws(DownloadError) {
        file = try directory.createFile()
      } catch {
        return error
      }
    }
    guard let descriptor = file?.descriptor else { return nil }
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count > 0 {
        done += count
      } else if errno != EINTR {
        return DownloadError(
          .storageFull,
          "the attachment cannot be stored after \(machine.received) bytes: \(systemError())"
        )
      }
    }
    return nil
  }

  private func dropFile() {
    guard let file else { return }
    close(file.descriptor)
    directory.discard(file.name)
    self.file = nil
  }
}

/// Counts body bytes over all transfers, for whoever shows progress.
final class ByteCounter: Sendable {
  private let count = Atomic<Int64>(0)

  /// The bytes so far.
  var value: Int64 {
    count.load(ordering: .relaxed)
  }

  /// Adds bytes.
  func add(_ bytes: Int) {
    count.wrappingAdd(Int64(bytes), ordering: .relaxed)
  }
}
