import AttachmentModel
import Cryptography
import Pipeline
import Synchronization
import TimeBudgets

/// Checks orders: waits for a turn, runs the straight line, puts the results on the shelf.
final class CheckDesk: Sendable {
  /// What is to be checked.
  enum Subject: Sendable {
    /// What the order's address leads to.
    case address
    /// Bytes that were sent along.
    case upload(AttachmentFile)
  }

  /// What came of an order.
  struct Finding: Sendable {
    /// The report with its links, as it is answered.
    let json: [UInt8]
    let report: AttachmentReport
  }

  private let pipeline: AttachmentPipeline
  private let line: AdmissionLine
  private let shelf: ResultShelf
  private let links: ResultLinks
  private let metrics: ServiceMetrics
  private let keepsContent: Bool

  /// How long after its budget a check may answer, which is looked at before each stage but not
  /// within all of them.
  private static let grace: Duration = .milliseconds(40)

  init(
    _ pipeline: AttachmentPipeline,
    line: AdmissionLine,
    shelf: ResultShelf,
    links: ResultLinks,
    metrics: ServiceMetrics,
    keepsContent: Bool
  ) {
    self.pipeline = pipeline
    self.line = line
    self.shelf = shelf
    self.links = links
    self.metrics = metrics
    self.keepsContent = keepsContent
  }

  /// Whether one more request that somebody waits for would be refused.
  var isFull: Bool {
    line.isFull
  }

  /// A new identifier, which nobody can guess.
  static func makeIdentifier() -> String {
    RandomName.make(length: 20)
  }

  /// Checks an order and keeps the results.
  ///
  /// - Parameters:
  ///   - order: What and how; where its terms have a start, waiting is charged, else only told.
  ///   - subject: The address, or bytes sent along, which are removed in any case.
  ///   - id: What the results will be found under.
  ///   - urgency: Whether somebody waits.
  /// - Returns: The report.
  /// - Throws: `queue-full`, `client-gone`.
  func perform(
    _ order: CheckOrder,
    on subject: Subject,
    as id: String,
    _ urgency: AdmissionLine.Urgency
  ) async throws(Problem) -> Finding {
    var order = order
    order.terms.handsOverFile = keepsContent
    let start = Stopwatch.system.now
    let running = order.terms.start.map { TimeBudget(order.terms.allowance, since: $0) }
    let report: AttachmentReport
    do throws(AdmissionLine.Refusal) {
      let ticket = try await line.enter(urgency, within: running)
      let turn = Stopwatch.system.now
      metrics.queued(turn - start)
      if order.terms.start == nil {
        order.terms.start = turn
        order.terms.waitedBefore = turn - start
      } else {
        order.terms.waited = turn - start
      }
      report = await check(order, on: subject, ticket)
    } catch {
      if case .upload(let file) = subject { pipeline.discard(file) }
      switch error {
      case .full: throw queueFull
      case .cancelled: throw Self.clientGone
      case .budgetSpent:
        order.terms.waited = Stopwatch.system.now - start
        metrics.queued(order.terms.waited)
        report = Self.late(order, "the budget is spent, and the turn had not come")
      }
    }
    if Task.isCancelled { throw Self.clientGone }
    metrics.count(report)
    return await keep(report, as: id)
  }

  /// What is said to those for whom there is no room.
  var queueFull: Problem {
    let seconds = secondsToNextTurn
    let checks = line.width == 1 ? "1 check is" : "\(line.width) checks are"
    return Problem(
      .queueFull,
      "\(checks) under way (--max-checks), and as many requests wait as may, "
        + "\(line.queueLimit) (--max-queue); come again in \(seconds) s, or take a job with 'Prefer: "
        + "respond-async'",
      retryAfter: seconds
    )
  }

  /// In how many seconds about there is room for one more.
  var secondsToNextTurn: Int {
    line.secondsToNextTurn
  }

  static let clientGone = Problem(.clientGone, "the client closed the connection")

  /// Runs the line, and answers in time even where a decoder does not.
  private func check(
    _ order: CheckOrder,
    on subject: Subject,
    _ ticket: AdmissionLine.Ticket
  ) async -> AttachmentReport {
    let work = Task { [pipeline] in
      // Held until the line is really done, however early the answer was.
      defer { ticket.release() }
      return switch subject {
      case .address: await pipeline.check(order.reference, under: order.terms)
      case .upload(let file):
        await pipeline.check(file, as: order.reference, under: order.terms)
      }
    }
    let budget = TimeBudget(order.terms.allowance + Self.grace, since: order.terms.start)
    let first = FirstAnswer()
    let alarm = Task {
      guard (try? await Task.sleep(for: budget.remaining)) != nil else { return }
      first.give(Self.late(order, "the budget is spent; a stage did not end in time"))
      work.cancel()
    }
    Task { first.give(await work.value) }
    let report = await withTaskCancellationHandler {
      await first.value
    } onCancel: {
      work.cancel()
    }
    alarm.cancel()
    return report
  }

  private func keep(_ report: AttachmentReport, as id: String) async -> Finding {
    var report = report
    var hasContent = false
    if let file = report.attachment {
      let type = report.evidence.inspection?.format.type
      let digest = await shelf.put(
        file,
        type: type?.mimeType ?? "application/octet-stream",
        under: id
      )
      if let digest {
        hasContent = true
        let name = "\(digest).\(type?.filenameExtensions.first ?? "bin")"
        report.file = AttachmentReport.StoredFile(name: name, sha256: digest)
      }
      report.attachment = nil
    }
    let previews = report.previews.map { result -> Preview? in
      if case .rendered(let preview) = result.outcome { preview } else { nil }
    }
    let line = report.jsonLine()
    let json = links.report(
      line,
      id: id,
      hasContent: hasContent,
      previews: previews.map { $0 != nil },
      expires: shelf.expiry
    )
    guard await shelf.put(json, previews: previews, under: id) else {
      metrics.shelfFailed()
      await shelf.giveUp(id, previews: previews.count)
      return Finding(json: ResultLinks.unkept(line, id: id), report: report)
    }
    return Finding(json: json, report: report)
  }

  private static func late(_ order: CheckOrder, _ message: String) -> AttachmentReport {
    var report = AttachmentReport(
      unobtainable: order.reference.source,
      because: CheckError(code: "budget-spent", message: message),
      allowance: order.terms.allowance
    )
    var ledger = order.terms.ledger(over: order.terms.allowance)
    let spent = order.terms.start.map { Stopwatch.system.now - $0 } ?? .zero
    ledger.record(spent - ledger.spent, for: .wait)
    report.ledger = ledger
    return report
  }
}

/// The first of several answers.
private final class FirstAnswer: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<AttachmentReport, Never>)
    case given(AttachmentReport)
  }

  private let state = Mutex(State.open)

  /// The first answer, as soon as there is one; to be asked for once.
  var value: AttachmentReport {
    get async {
      await withCheckedContinuation { continuation in
        let report = state.withLock { state -> AttachmentReport? in
          if case .given(let report) = state { return report }
          state = .awaited(continuation)
          return nil
        }
        if let report { continuation.resume(returning: report) }
      }
    }
  }

  /// Gives an answer; only the first one counts.
  func give(_ report: AttachmentReport) {
    let continuation = state.withLock {
      state -> CheckedContinuation<AttachmentReport, Never>? in
      switch state {
      case .given: return nil
      case .open:
        state = .given(report)
        return nil
      case .awaited(let continuation):
        state = .given(report)
        return continuation
      }
    }
    continuation?.resume(returning: report)
  }
}
