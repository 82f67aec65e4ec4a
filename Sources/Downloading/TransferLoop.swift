import AttachmentModel
import CCurl
import Glibc
import Synchronization
import Threading
import TimeBudgets

/// A thread that owns a libcurl multi handle and drives every transfer given to it.
///
/// Others reach it through the inbox only; decisions are the state machine's.
final class TransferLoop: TaskExecutor {
  private enum Command {
    case run(UnownedJob)
    case start(Transfer)
    case cancel(Transfer)
    case stop(@Sendable () -> Void)
  }

  private struct Inbox {
    var commands: [Command] = []
    /// Whether the thread takes no more commands.
    var isClosed = false
  }

  private let inbox = Mutex(Inbox())
  /// Which thread it is, once it runs.
  private let thread = Atomic<UInt>(0)
  private let multi: MultiHandle
  /// The body bytes that came so far.
  let received = ByteCounter()
  private let transfers = Atomic(0)

  /// The libcurl handle, as something that can be handed to the thread.
  ///
  /// `@unchecked Sendable`. Invariant: only the loop's thread uses the handle, but for
  /// curl_multi_wakeup, which libcurl documents as safe from any thread.
  private final class MultiHandle: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    init(_ handle: UnsafeMutableRawPointer) {
      self.handle = handle
    }
  }

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - settings: What transfers are set up with.
  ///   - connections: How many connections are kept open for the next transfer.
  /// - Throws: `storage-full` where the system has no memory or thread left.
  init(_ settings: TransferEngine.Settings, keeping connections: Int) throws(DownloadError) {
    guard let handle = curl_multi_init() else {
      throw DownloadError(.storageFull, "libcurl has no memory for a transfer loop")
    }
    multi = MultiHandle(handle)
    affix_multi_set_long(handle, CURLMOPT_MAXCONNECTS, connections)
    let multi = self.multi
    let received = self.received
    let work: @Sendable () -> Void = { [self] in
      thread.store(pthread_self(), ordering: .relaxed)
      var runner = Runner(
        settings: settings,
        multi: multi.handle,
        received: received,
        executor: asUnownedTaskExecutor()
      )
      runner.run(
        takingCommands: {
          inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return inbox.commands
          }
        },
        hasCommands: { inbox.withLock { !$0.commands.isEmpty } }
      )
    }
    guard BackgroundThread.start(work) else {
      curl_multi_cleanup(handle)
      throw DownloadError(.storageFull, "no thread can be started: \(systemError())")
    }
  }

  /// Whether the caller runs on the thread.
  var isCurrent: Bool {
    pthread_self() == thread.load(ordering: .relaxed)
  }

  /// How many transfers were taken on and are not done.
  var load: Int {
    transfers.load(ordering: .relaxed)
  }

  /// One more transfer is about to be started here.
  func takesOn() {
    transfers.wrappingAdd(1, ordering: .relaxed)
  }

  /// A transfer that was taken on is done.
  func isDone() {
    transfers.wrappingSubtract(1, ordering: .relaxed)
  }

  /// Runs a piece of a task between transfers; it must not block.
  ///
  /// Tasks that wait for transfers lose no time between threads here. Once the loop has ended they
  /// go on where all tasks do.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !send(.run(job)) { globalConcurrentExecutor.enqueue(job) }
  }

  /// Begins a transfer; its completion is called exactly once.
  func start(_ transfer: Transfer) {
    if !send(.start(transfer)) { transfer.complete(.failed(.cancelledTransfer)) }
  }

  /// Ends a transfer as `cancelled`, unless it has ended.
  func cancel(_ transfer: Transfer) {
    transfer.isCancelled.store(true, ordering: .releasing)
    _ = send(.cancel(transfer))
  }

  /// Ends every transfer as `cancelled`, then the thread; what is started later is cancelled too.
  func stop() async {
    await withCheckedContinuation { continuation in
      if !send(.stop { continuation.resume() }) { continuation.resume() }
    }
  }

  /// Hands a command to the thread; false where it takes no more.
  private func send(_ command: Command) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      inbox.commands.append(command)
      if case .stop = command { inbox.isClosed = true }
      // Whoever put the first command in has woken the thread, and it takes all at once; the thread
      // itself looks before it sleeps. Under the lock, since the thread frees the handle once it
      // has seen the stop.
      if inbox.commands.count == 1, !isCurrent { curl_multi_wakeup(multi.handle) }
      return true
    }
  }

  /// What lives on the thread, and nowhere else.
  ///
  /// Invariant: the libcurl handles here are used by this thread alone and freed in `shutDown`.
  private struct Runner {
    let settings: TransferEngine.Settings
    let multi: UnsafeMutableRawPointer
    let received: ByteCounter
    let executor: UnownedTaskExecutor
    let stopwatch = Stopwatch.system
    let clock = TurnClock()
    /// Those with a transfer, each at its `place`.
    var active: [EasyTransfer] = []
    var idle: [EasyTransfer] = []
    var lookups = LookupGate()
    var multiplexing = MultiplexingHosts()
    let sessions: UnsafeMutableRawPointer? = curl_share_init()
    /// Outlives the libcurl handles, which close their connections last.
    let connections = OpenConnections()
    /// No deadline lies before this moment; so there is nothing to look for until then.
    var nextLook: Duration?

    mutating func run(
      takingCommands takeCommands: () -> [Command],
      hasCommands: () -> Bool
    ) {
      // One thread uses the share, so it needs no locks.
      if let sessions { affix_share_add(sessions, CURL_LOCK_DATA_SSL_SESSION) }
      while true {
        // A task that goes on starts its next transfer by another command: taken in the same turn,
        // no connection idles for one. So many times only: transfers are not held up by tasks.
        for _ in 0..<8 {
          let commands = takeCommands()
          guard !commands.isEmpty else { break }
          for command in commands {
            switch command {
            case .run(let job): job.runSynchronously(on: executor)
            case .start(let transfer): begin(transfer)
            case .cancel(let transfer): cancel(transfer)
            case .stop(let done):
              shutDown()
              return done()
            }
          }
        }
        var running: CInt = 0
        clock.begin()
        curl_multi_perform(multi, &running)
        finishCompleted()
        expire()
        startWaiting()
        curl_multi_poll(multi, nil, 0, hasCommands() ? 0 : pollTimeout, nil)
      }
    }

    private var pollTimeout: CInt {
      // Places that given-up look-ups keep fall free with time, not with an event.
      let longest = lookups.isCrowded ? 100.0 : 60_000
      guard let nextLook else { return CInt(longest) }
      let left = nextLook - stopwatch.now
      // Rounded up, so that the loop does not spin through the last millisecond.
      return CInt(max(0, min(longest, left.milliseconds.rounded(.up))))
    }

    private mutating func begin(_ transfer: Transfer) {
      guard !transfer.isCancelled.load(ordering: .acquiring) else {
        return transfer.complete(.failed(.cancelledTransfer))
      }
      guard
        let easy = idle.popLast()
          ?? EasyTransfer(
            settings,
            sessions: sessions.map { OpaquePointer($0) },
            connections: connections,
            clock: clock,
            received: received
          )
      else {
        let error = DownloadError(.storageFull, "libcurl has no memory for a transfer")
        return transfer.complete(.failed(error))
      }
      easy.place = active.count
      active.append(easy)
      let now = stopwatch.now
      transfer.machine.begin(at: now)
      add(easy, transfer, at: now)
    }

    /// Starts the current hop, once there is room for its name look-up.
    private mutating func add(_ easy: EasyTransfer, _ transfer: Transfer, at now: Duration) {
      guard prepare(easy, transfer) else { return }
      if lookups.enter(transfer, at: now) {
        perform(easy, transfer, at: now)
      } else {
        transfer.machine.hold()
        look(after: transfer, at: now)
      }
    }

    /// Points the handle at the current hop; ends the transfer where libcurl cannot read the address.
    private mutating func prepare(_ easy: EasyTransfer, _ transfer: Transfer) -> Bool {
      let waits = multiplexing.contains(transfer.url.origin)
      if easy.prepare(transfer, waitsForConnection: waits) { return true }
      end(easy, transfer, .failed(DownloadError(.invalidURL, "the address cannot be read")))
      return false
    }

    private mutating func perform(_ easy: EasyTransfer, _ transfer: Transfer, at now: Duration) {
      easy.connect(within: transfer.machine.deadline.time - now)
      guard curl_multi_add_handle(multi, easy.curl) == CURLM_OK else {
        let error = DownloadError(.storageFull, "libcurl has no memory for a transfer")
        return end(easy, transfer, .failed(error))
      }
      look(after: transfer, at: now)
    }

    /// Makes sure that the transfer's next deadline is not missed.
    private mutating func look(after transfer: Transfer, at now: Duration) {
      let moment = transfer.machine.nextLook(at: now)
      nextLook = min(nextLook ?? moment, moment)
    }

    /// Starts the hops that waited for room, as look-ups end.
    private mutating func startWaiting() {
      guard lookups.isCrowded else { return }
      let now = stopwatch.now
      for transfer in lookups.admit(at: now) {
        guard let easy = handle(of: transfer) else { continue }
        transfer.machine.resume(at: now)
        perform(easy, transfer, at: now)
      }
    }

    private func handle(of transfer: Transfer) -> EasyTransfer? {
      active.first { $0.transfer === transfer }
    }

    private mutating func cancel(_ transfer: Transfer) {
      guard let easy = handle(of: transfer) else { return }
      curl_multi_remove_handle(multi, easy.curl)
      end(easy, transfer, .failed(.cancelledTransfer))
    }

    private mutating func finishCompleted() {
      var left: CInt = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE else { continue }
        // Invariant: the message is read before the next call on the multi handle, and every
        // handle in it is one of `active`, found by comparing.
        let result = affix_message_result(message)
        guard let handle = message.pointee.easy_handle,
          let easy = EasyTransfer.owner(of: handle), let transfer = easy.transfer
        else { continue }
        curl_multi_remove_handle(multi, handle)
        // A look-up that found nothing is over as well.
        if result == CURLE_COULDNT_RESOLVE_HOST { transfer.machine.isLookingUp = false }
        finish(easy, transfer, result)
      }
    }

    private mutating func finish(_ easy: EasyTransfer, _ transfer: Transfer, _ result: CURLcode) {
      // libcurl has the same limit for a head, and may well give up first.
      if transfer.stop == nil { _ = transfer.tellOfLines() }
      if easy.needsNewConnection(after: result) { return repeatHop(easy, transfer) }
      switch transfer.stop {
      case .redirected(let location):
        do throws(DownloadError) {
          let next = try transfer.url.following(location)
          try settings.check(next)
          let now = stopwatch.now
          lookups.leave(transfer, at: now)
          transfer.follow(next, at: now)
          add(easy, transfer, at: now)
        } catch {
          let message = "behind a redirect: \(error.message)"
          end(easy, transfer, .failed(DownloadError(error.code, message)))
        }
      case .failed(let error):
        end(easy, transfer, .failed(error))
      case .endedEarly(let earlyEnd):
        end(easy, transfer, .settled(earlyEnd))
      case nil:
        if result == CURLE_OK, transfer.machine.head != nil, easy.isTaken {
          end(easy, transfer, transfer.machine.mismatch.map { .failed($0) } ?? .whole)
        } else {
          end(easy, transfer, .failed(easy.failure(for: result)))
        }
      }
    }

    /// Asks again over a connection of its own; nothing was answered over the one that was kept.
    private mutating func repeatHop(_ easy: EasyTransfer, _ transfer: Transfer) {
      let now = stopwatch.now
      transfer.askAgain(at: now)
      if prepare(easy, transfer) { perform(easy, transfer, at: now) }
    }

    private mutating func end(
      _ easy: EasyTransfer,
      _ transfer: Transfer,
      _ outcome: Transfer.Outcome
    ) {
      let now = stopwatch.now
      if transfer.machine.isHeld {
        // The hop never began: what libcurl has measured is of an earlier one.
        transfer.machine.resume(at: now)
      } else {
        easy.measure(&transfer.metrics, hop: now - transfer.machine.askStart)
        transfer.metrics.firstByte += transfer.machine.askStart - transfer.machine.hopStart
      }
      if case .settled = outcome { transfer.codedBytes = easy.codedBytes }
      transfer.takeStock(at: now)
      active[easy.place] = active[active.count - 1]
      active[easy.place].place = easy.place
      active.removeLast()
      lookups.leave(transfer, at: now)
      if transfer.metrics.httpVersion == "2" { multiplexing.insert(transfer.url.origin) }
      easy.release()
      idle.append(easy)
      transfer.complete(outcome)
    }

    private mutating func expire() {
      guard let next = nextLook else { return }
      let now = stopwatch.now
      guard now >= next else { return }
      nextLook = nil
      for easy in active {
        guard let transfer = easy.transfer else { continue }
        let start = transfer.machine.askStart
        guard transfer.tellOfLines() else {
          curl_multi_remove_handle(multi, easy.curl)
          finish(easy, transfer, CURLE_WRITE_ERROR)
          continue
        }
        if transfer.machine.isWaiting, let first = easy.firstByteTime {
          _ = transfer.machine.receivedHeader(1, at: start + first)
        }
        let deadline = transfer.machine.deadline
        guard deadline.time <= now else {
          look(after: transfer, at: now)
          continue
        }
        curl_multi_remove_handle(multi, easy.curl)
        // A redirect whose short body does not end is followed all the same.
        if case .redirected = transfer.stop, deadline.clock == .stall {
          finish(easy, transfer, CURLE_OK)
        } else {
          end(easy, transfer, .failed(transfer.machine.failure(of: deadline.clock)))
        }
      }
    }

    private mutating func shutDown() {
      for easy in active {
        guard let transfer = easy.transfer else { continue }
        curl_multi_remove_handle(multi, easy.curl)
        end(easy, transfer, .failed(.cancelledTransfer))
      }
      idle.removeAll()
      curl_multi_cleanup(multi)
      curl_share_cleanup(sessions)
    }
  }
}

extension DownloadError {
  /// The caller gave up.
  static let cancelledTransfer = DownloadError(.cancelled, "the check was cancelled")
}
