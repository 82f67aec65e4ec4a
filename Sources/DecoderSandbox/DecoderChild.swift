import AttachmentModel
import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import Threading
import TimeBudgets

/// A child that examines files one after the other, seen from the parent.
///
/// Several callers may ask at once: their requests wait in the line to the child, which goes from
/// one to the next without waiting for anybody. Whoever stands first reads the next answer, and
/// is the only one to be blamed for what happens meanwhile.
final class DecoderChild: Sendable {
  /// What came of a request.
  enum Outcome: Sendable {
    /// An answer that makes sense, and when the child began with the file.
    case answered(ExaminationAnswer, began: Duration)
    /// The machine's fault, in the child's words.
    case fault(String)
    /// The child met its end over this file, which is told in words.
    case crashed(String)
    /// Somebody else ended the child while it was at this file, which is told in words.
    case killed(String)
    /// The child was ended, since it was over its time with this file.
    case late
    /// The child ended over another file.
    case bystander
    /// The child ended before it began with any file, for this reason.
    case unstarted(String)
    /// The child can examine nothing on this machine, for this reason; nor could another one.
    case useless(String)
  }

  private struct State {
    /// Those who wait for an answer, in the order of their requests.
    var line: [DispatchSemaphore] = []
    var isGreeted = false
    var isOver = false
    var answers: UInt64 = 0
    var busy = Duration.zero
  }

  private let process: ChildProcess
  private let configuration: CagedExaminer.Configuration
  private let onGreeting: @Sendable (ChildGreeting) -> Void
  private let state = Mutex(State())

  /// Has a child started, and does not wait for that.
  init(
    _ configuration: CagedExaminer.Configuration,
    nursery: JobThreads,
    onGreeting: @escaping @Sendable (ChildGreeting) -> Void
  ) {
    self.configuration = configuration
    self.onGreeting = onGreeting
    process = ChildProcess(
      executable: configuration.executable,
      settings: ChildSettings(
        addressSpace: configuration.addressSpace,
        formats: configuration.formats
      ),
      nursery: nursery
    )
  }

  /// Whether it has done so much that another should take its place.
  var isWornOut: Bool {
    state.withLock {
      $0.answers >= configuration.filesPerChild || $0.busy >= configuration.timePerChild
    }
  }

  /// Asks about a file, and waits for what comes of it.
  ///
  /// - Parameters:
  ///   - slice: The bytes.
  ///   - question: What is wanted.
  ///   - budget: What the file may spend from when the child begins with it.
  ///   - patience: How long the child may take to become ready; what it takes is taken off.
  /// - Returns: How that went; after anything but an answer or a fault the child is over.
  func ask(
    _ slice: FileSlice,
    _ question: ExaminationQuestion,
    within budget: TimeBudget,
    readyWithin patience: inout Duration
  ) -> Outcome {
    let start = budget.stopwatch.now
    let request = ChildRequest(
      offset: slice.offset,
      size: slice.size,
      question: question,
      allowance: budget.allowance,
      total: budget.total,
      spent: budget.spent
    )
    let turn = DispatchSemaphore(value: 0)
    let isIn = state.withLock { state in
      guard !state.isOver else { return false }
      state.line.append(turn)
      if state.line.count == 1 { turn.signal() }
      // Sent in the order of the line. A line that is closed is noticed by whoever stands first.
      _ = process.socket.send(request, file: slice.descriptor)
      return true
    }
    guard isIn else { return .bystander }
    // Whoever stands in front has an end of their own.
    turn.wait()
    defer { leave() }
    guard !state.withLock(\.isOver) else { return .bystander }
    if let failure = greet(within: &patience) { return failure }
    return answer(to: question, about: slice, within: budget, since: start)
  }

  /// Waits until the child is ready for its first file.
  ///
  /// - Returns: Nothing where it is, else what became of it.
  func awaitReadiness() -> Outcome? {
    let turn = DispatchSemaphore(value: 0)
    let isIn = state.withLock { state in
      guard !state.isOver else { return false }
      state.line.append(turn)
      if state.line.count == 1 { turn.signal() }
      return true
    }
    guard isIn else { return .bystander }
    turn.wait()
    defer { leave() }
    var patience = configuration.startAllowance
    return state.withLock(\.isOver) ? .bystander : greet(within: &patience)
  }

  /// Resident memory in bytes; nothing where there is no process.
  var residentBytes: Int? {
    process.residentBytes
  }

  /// Ends the child.
  ///
  /// - Returns: How it ended.
  @discardableResult
  func end() -> ChildProcess.Ending {
    state.withLock { $0.isOver = true }
    return process.end()
  }

  private func leave() {
    state.withLock { state in
      state.line.removeFirst()
      state.line.first?.signal()
    }
  }

  private func answer(
    to question: ExaminationQuestion,
    about slice: FileSlice,
    within budget: TimeBudget,
    since start: Duration
  ) -> Outcome {
    let began = budget.stopwatch.now
    let patience = budget.excluding(began - start + configuration.grace)
    do throws(FrameSocket.Failure) {
      let frame = try process.socket.receive(upTo: question.mostPreviewBytes, within: patience)
      let now = budget.stopwatch.now
      let reply = try? JSONDecoder().decode(ChildReply.self, from: Data(frame.text))
      switch reply {
      case .answer(var answer, let sizes):
        guard answer.givePreviewBytes(frame.tail[...], sizes: sizes),
          AnswerRules(question: question, size: slice.size, spent: now - start).allow(answer)
        else { throw .malformed }
        count(now - began)
        // The child goes on to a file before this side has read the answer about the last one.
        return .answered(answer, began: min(began, now - answer.timeSpent))
      case .fault(let message):
        guard AnswerRules.isLine(message) else { throw .malformed }
        count(now - began)
        return .fault(message)
      case nil:
        throw .malformed
      }
    } catch {
      let ending = end()
      switch error {
      case .late: return .late
      case .malformed: return .crashed("gave an answer that contradicts itself")
      case .closed:
        guard process.filesBegun() > state.withLock(\.answers) else {
          return .unstarted("it \(ending)")
        }
        return ending.isFromOutside ? .killed("\(ending)") : .crashed("\(ending)")
      }
    }
  }

  private func count(_ spent: Duration) {
    state.withLock { state in
      state.answers += 1
      state.busy += spent
    }
  }

  /// Takes the greeting, where that is still to come.
  private func greet(within patience: inout Duration) -> Outcome? {
    guard !state.withLock(\.isGreeted) else { return nil }
    let budget = TimeBudget(patience)
    defer { patience = budget.remaining }
    let reason: String
    do throws(FrameSocket.Failure) {
      let frame = try process.socket.receive(upTo: 0, within: budget)
      if let greeting = try? JSONDecoder().decode(ChildGreeting.self, from: Data(frame.text)) {
        guard let failure = greeting.failure else {
          state.withLock { $0.isGreeted = true }
          onGreeting(greeting)
          return nil
        }
        end()
        return .useless(failure)
      }
      end()
      reason = "it speaks another language; is \(configuration.executable) the right program?"
    } catch {
      let ending = end()
      reason =
        error == .late ? "it was not ready within \(budget.allowance.rounded)" : "it \(ending)"
    }
    return .unstarted(reason)
  }
}
