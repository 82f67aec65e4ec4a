import Synchronization
import TimeBudgets

/// Hands out the right to check: so many at once, and so many that wait.
///
/// Those whom somebody waits for go before those who have time, but every fourth turn is the
/// latters'.
final class AdmissionLine: Sendable {
  /// Who asks.
  enum Urgency: Sendable {
    /// Somebody waits at the other end of a connection; a full line is a refusal.
    case prompt
    /// A job or a line of a batch, which are bounded elsewhere.
    case patient
  }

  /// Why there is no right.
  enum Refusal: Error, Sendable {
    case full
    case budgetSpent
    case cancelled
  }

  /// The right to one check; given back when it is released or goes away.
  final class Ticket: Sendable {
    private let line: AdmissionLine
    private let isHeld = Atomic(true)
    private let granted = Stopwatch.system.now

    fileprivate init(_ line: AdmissionLine) {
      self.line = line
    }

    /// Gives the right back; later calls do nothing.
    func release() {
      if isHeld.exchange(false, ordering: .acquiringAndReleasing) {
        line.leave(after: Stopwatch.system.now - granted)
      }
    }

    deinit {
      release()
    }
  }

  private struct Waiter {
    let number: UInt64
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var prompt: [Waiter] = []
    var patient: [Waiter] = []
    var turns = 0
    /// How long turns last: those that ended last count most.
    var typicalTurn: Duration = .zero
    var lastNumber: UInt64 = 0
    var abandoned: Set<UInt64> = []
  }

  /// Checks at once.
  let width: Int
  /// How many may wait whom somebody waits for.
  let queueLimit: Int
  private let state: Mutex<State>

  /// A line.
  ///
  /// - Parameters:
  ///   - width: Checks at once.
  ///   - queueLimit: How many may wait whom somebody waits for.
  init(width: Int, queueLimit: Int) {
    self.width = width
    self.queueLimit = queueLimit
    state = Mutex(State(free: width))
  }

  /// How many wait.
  var length: Int {
    state.withLock { $0.prompt.count + $0.patient.count }
  }

  /// How many checks are under way.
  var underWay: Int {
    width - state.withLock(\.free)
  }

  /// Whether one more who is prompt would be refused.
  var isFull: Bool {
    state.withLock { $0.free == 0 && $0.prompt.count >= queueLimit }
  }

  /// In how many seconds about one more turn ends, as turns have been lasting: at least 1.
  var secondsToNextTurn: Int {
    let turn = state.withLock(\.typicalTurn) / .seconds(1)
    return max(1, Int((turn / Double(width)).rounded(.up)))
  }

  /// Waits for one's turn.
  ///
  /// - Parameters:
  ///   - urgency: Who asks.
  ///   - budget: How long to wait; where there is none, as long as it takes.
  /// - Returns: The right to check.
  /// - Throws: `full` at once, `budgetSpent`, `cancelled`.
  func enter(
    _ urgency: Urgency,
    within budget: TimeBudget? = nil
  ) async throws(Refusal) -> Ticket {
    enum Start {
      case granted
      case full
      case waits(UInt64)
    }
    let start = state.withLock { state -> Start in
      if state.free > 0 {
        state.free -= 1
        return .granted
      }
      if case .prompt = urgency, state.prompt.count >= queueLimit { return .full }
      state.lastNumber += 1
      return .waits(state.lastNumber)
    }
    switch start {
    case .granted: return Ticket(self)
    case .full: throw .full
    case .waits(let number):
      let alarm = budget.map { budget in
        Task {
          guard (try? await Task.sleep(for: budget.remaining)) != nil else { return }
          abandon(number)
        }
      }
      let isGranted = await wait(number, urgency)
      alarm?.cancel()
      state.withLock { _ = $0.abandoned.remove(number) }
      guard isGranted else { throw Task.isCancelled ? .cancelled : .budgetSpent }
      return Ticket(self)
    }
  }

  private func wait(_ number: UInt64, _ urgency: Urgency) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.abandoned.remove(number) != nil { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          let waiter = Waiter(number: number, continuation: continuation)
          switch urgency {
          case .prompt: state.prompt.append(waiter)
          case .patient: state.patient.append(waiter)
          }
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      abandon(number)
    }
  }

  private func abandon(_ number: UInt64) {
    let waiter = state.withLock { state -> Waiter? in
      if let index = state.prompt.firstIndex(where: { $0.number == number }) {
        return state.prompt.remove(at: index)
      }
      if let index = state.patient.firstIndex(where: { $0.number == number }) {
        return state.patient.remove(at: index)
      }
      // It has not come to wait yet, or has its answer already and takes this away again.
      state.abandoned.insert(number)
      return nil
    }
    waiter?.continuation.resume(returning: false)
  }

  private func leave(after turn: Duration) {
    let next = state.withLock { state -> Waiter? in
      let change = turn - state.typicalTurn
      state.typicalTurn += state.turns == 0 ? change : change / 8
      state.turns &+= 1
      let isPatientsTurn = state.prompt.isEmpty || state.turns.isMultiple(of: 4)
      if isPatientsTurn, !state.patient.isEmpty { return state.patient.removeFirst() }
      if !state.prompt.isEmpty { return state.prompt.removeFirst() }
      state.free += 1
      return nil
    }
    next?.continuation.resume(returning: true)
  }
}
