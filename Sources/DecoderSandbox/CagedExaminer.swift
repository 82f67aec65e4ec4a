public import AttachmentModel
import Dispatch
import Glibc
import MediaSniffing
import Synchronization
import Threading
public import TimeBudgets

/// Examines files in children that can open nothing, reach nobody, and die alone.
///
/// ```swift
/// let examiner = try CagedExaminer(CagedExaminer.Configuration(children: 2))
/// let pipeline = try AttachmentPipeline(configuration, examiner: examiner)
/// let report = await pipeline.check(reference)
/// await pipeline.close()
/// examiner.close()
/// ```
///
/// A child that crashes, hangs or answers nonsense is replaced, and costs the file that it was
/// working on: a crash is the finding `corrupt`, a hang `budget-spent`. Children are started when
/// they are needed, or ahead of that by `prepare(children:)`.
public final class CagedExaminer: FileExamining {
  private struct Member {
    let child: DecoderChild
    var files = 0
  }

  private struct State {
    var members: [Member] = []
    /// Children that met their end since the last answer of any.
    var endings = 0
    /// Of these, children that never became ready.
    var failures = 0
    var unfiltered: String?
    var started = 0
    var tally: [ExaminerActivity.Ending: Int] = [:]
    var isClosed = false
  }

  private let configuration: Configuration
  private let nursery: JobThreads
  /// As many files as may be with the children at once.
  private let places: DispatchSemaphore
  private let state = Mutex(State())

  /// An examiner without children yet.
  ///
  /// - Throws: `unreadable` where the system has no thread left.
  public init(_ configuration: Configuration) throws(ExaminationError) {
    guard let nursery = JobThreads(count: 1) else {
      throw ExaminationError(.unreadable, "the system has no thread left to start children on")
    }
    self.configuration = configuration
    self.nursery = nursery
    places = DispatchSemaphore(value: configuration.children * configuration.filesAtOnce)
  }

  /// Two a child: one is worked on, and the next is there when it is done.
  public var callersPerWorker: Int {
    configuration.filesAtOnce
  }

  /// Says so where the system refuses to filter the children's system calls; known from the first
  /// answer on.
  public var notice: String? {
    state.withLock(\.unfiltered).map {
      "the system calls of decoders are not filtered (\($0)), and so of pictures only "
        + UncagedExaminer.names(of: UncagedExaminer.hardenedFormats) + " are decoded"
    }
  }

  /// How many children were started so far, those that took another's place included.
  public var startedChildren: Int {
    state.withLock(\.started)
  }

  /// What the children are doing; asks the system about each.
  public var activity: ExaminerActivity {
    let (members, started, tally) = state.withLock { ($0.members, $0.started, $0.tally) }
    var activity = ExaminerActivity()
    activity.children = members.count
    activity.childrenLimit = configuration.children
    activity.files = members.reduce(0) { $0 + $1.files }
    activity.starts = started
    activity.endings = tally
    let bytes = members.reduce(0) { $0 + ($1.child.residentBytes ?? 0) }
    activity.residentMemory = ByteCount(Int64(bytes))
    return activity
  }

  /// Waits until one child is ready, or cannot be made ready; starts one where there is none.
  ///
  /// - Throws: `library-unavailable`.
  public func awaitReadiness() throws(ExaminationError) {
    guard let child = try? join() else { return }
    let outcome = child.awaitReadiness()
    leave(child, outcome)
    if case .useless(let reason)? = outcome {
      throw ExaminationError(.libraryUnavailable, reason)
    }
  }

  /// Starts children ahead of their first file, and does not wait until they are ready.
  ///
  /// - Parameter count: How many; no more than are configured.
  public func prepare(children count: Int) {
    state.withLock { state in
      guard !state.isClosed else { return }
      for _ in state.members.count..<max(state.members.count, min(count, configuration.children)) {
        start(&state)
      }
    }
  }

  /// Has a child inspect a file, and decode its pixels or those of its cover.
  ///
  /// Signature and structure are looked at here: that is memory-safe and touches no C library.
  /// What they leave open, and every pixel, is a child's.
  ///
  /// - Parameters:
  ///   - slice: The bytes of a regular file; a child gets a copy of its descriptor.
  ///   - question: What is wanted.
  ///   - budget: What the file may spend; its child is ended a little later.
  /// - Returns: What the file is; where its child crashed, `corrupt` is among the findings.
  /// - Throws: `budget-spent` where the child had to be ended, `unreadable` where the file cannot
  ///   be read or no child becomes ready, `library-unavailable` where none could do its work.
  public func examine(
    _ slice: FileSlice,
    _ question: ExaminationQuestion,
    within budget: TimeBudget
  ) throws(ExaminationError) -> ExaminationAnswer {
    var question = question
    let (settled, inspectTime) = try budget.stopwatch.measure { () throws(ExaminationError) in
      question.inspection == nil ? try Self.settled(slice) : nil
    }
    if let settled {
      guard question.decodesPixels else {
        return ExaminationAnswer(inspection: settled, pixels: .unasked, inspectTime: inspectTime)
      }
      question.inspection = settled
    }
    let start = budget.stopwatch.now
    places.wait()
    defer { places.signal() }
    var wasKilled = false
    var patience = patience(within: budget)
    while true {
      let child = try join()
      let outcome = child.ask(
        slice,
        question,
        within: budget.excluding(budget.stopwatch.now - start),
        readyWithin: &patience
      )
      leave(child, outcome)
      switch outcome {
      case .answered(var answer, let began):
        answer.waited = began - start
        answer.inspectTime += inspectTime
        return answer
      case .fault(let message):
        throw ExaminationError(.unreadable, message)
      case .crashed(let words):
        return answer(about: slice, question, afterCrash: words)
      case .killed(let words):
        // Once is somebody else's doing; who is short of memory a second time has met a bomb.
        if wasKilled { return answer(about: slice, question, afterCrash: words) }
        wasKilled = true
      case .late:
        throw ExaminationError(
          .budgetSpent,
          "\(budget.phrase) was spent, and the decoder was stopped"
        )
      case .bystander:
        continue
      case .unstarted(let reason):
        if patience > .zero, state.withLock(\.failures) < Self.mostFailures { continue }
        guard patience > .zero || !budget.isSpent else {
          throw ExaminationError(
            .budgetSpent,
            "\(budget.phrase) was spent before a decoder was ready"
          )
        }
        throw ExaminationError(.unreadable, "no decoder can be started: \(reason)")
      case .useless(let reason):
        throw ExaminationError(.libraryUnavailable, reason)
      }
    }
  }

  /// How long a file waits for children that are not ready.
  private func patience(within budget: TimeBudget) -> Duration {
    min(
      configuration.startAllowance,
      max(configuration.leastStartAllowance, budget.remaining)
    )
  }

  private static func settled(_ slice: FileSlice) throws(ExaminationError) -> MediaInspection? {
    do throws(InspectionError) {
      return try MediaInspector.settled(ByteReader(slice))
    } catch {
      throw ExaminationError(.unreadable, error.message)
    }
  }

  /// Ends all children; calls that are under way end soon, and new ones fail.
  public func close() {
    let members = state.withLock { state in
      state.isClosed = true
      defer { state.members = [] }
      return state.members
    }
    for member in members { member.child.end() }
    nursery.stop()
  }

  /// Children that never become ready are tried this often in a row.
  private static let mostFailures = 3

  private func start(_ state: inout State) {
    let child = DecoderChild(configuration, nursery: nursery) { [weak self] greeting in
      self?.state.withLock { $0.unfiltered = greeting.unfiltered }
    }
    state.members.append(Member(child: child))
    state.started += 1
  }

  /// Takes a place with the child that has the least to do.
  private func join() throws(ExaminationError) -> DecoderChild {
    backOff()
    let child = state.withLock { state -> DecoderChild? in
      guard !state.isClosed else { return nil }
      let able = state.members.indices.filter { !state.members[$0].child.isWornOut }
      var choice = able.min { state.members[$0].files < state.members[$1].files }
      if choice.map({ state.members[$0].files > 0 }) ?? true,
        state.members.count < configuration.children || choice == nil
      {
        start(&state)
        choice = state.members.count - 1
      }
      guard let choice else { return nil }
      state.members[choice].files += 1
      return state.members[choice].child
    }
    guard let child else { throw ExaminationError(.unreadable, "the examiner is closed") }
    return child
  }

  /// Gives a place back, and has a child go that met its end or has done enough.
  ///
  /// - Parameters:
  ///   - child: With whom the place was.
  ///   - outcome: What came of it; nothing where the child was asked for nothing.
  private func leave(_ child: DecoderChild, _ outcome: DecoderChild.Outcome?) {
    let retired = state.withLock { state -> DecoderChild? in
      switch outcome {
      case .answered, .fault:
        state.endings = 0
        state.failures = 0
      case .crashed, .killed, .late: state.endings += 1
      case .unstarted, .useless:
        state.endings += 1
        state.failures += 1
      case .bystander, nil: break
      }
      if let ending = outcome?.ending { state.tally[ending, default: 0] += 1 }
      guard let index = state.members.firstIndex(where: { $0.child === child }) else { return nil }
      state.members[index].files -= 1
      switch outcome {
      case .answered, .fault, nil:
        guard state.members[index].files == 0, child.isWornOut else { return nil }
        state.tally[.wornOut, default: 0] += 1
        return state.members.remove(at: index).child
      case .crashed, .killed, .late, .bystander, .unstarted, .useless:
        state.members.remove(at: index)
        return nil
      }
    }
    retired?.end()
  }

  /// Where child after child meets its end, the next one is started a little later each time.
  private func backOff() {
    let endings = state.withLock(\.endings)
    guard endings > 3 else { return }
    poll(nil, 0, min(250, 5 << CInt(min(endings - 4, 8))))
  }

  /// What is known of a file whose child met its end: what its first bytes tell.
  private func answer(
    about slice: FileSlice,
    _ question: ExaminationQuestion,
    afterCrash words: String
  ) -> ExaminationAnswer {
    let message = "the decoder of this file \(words)"
    var inspection = question.inspection ?? MediaInspection(format: .other, size: slice.size)
    var reader = ByteReader(slice)
    let prefix = reader.prefix(at: 0, upTo: FormatSignature.longestPrefix)
    if question.inspection == nil,
      let found = FormatSignature.inspection(of: prefix, fileSize: slice.size)
    {
      inspection = found
    }
    inspection.findings.append(StructureFinding(.corrupt, message))
    return ExaminationAnswer(
      inspection: inspection,
      pixels: question.decodesPixels ? .unavailable(PreviewError(.undecodable, message)) : .unasked,
      inspectTime: .zero
    )
  }
}

extension DecoderChild.Outcome {
  /// Why the child came to its end; nothing where it did not, or another file is to blame.
  fileprivate var ending: ExaminerActivity.Ending? {
    switch self {
    case .answered, .fault, .bystander: nil
    case .crashed: .crashed
    case .killed: .killed
    case .late: .late
    case .unstarted, .useless: .unstarted
    }
  }
}
