import Synchronization
import TimeBudgets

/// Hands out the right to transfer: so many at once, and so many at once to one host.
///
/// First come, first served, but for those whose host is full: they let others pass.
final class TransferSlots: Sendable {
  /// The right to one transfer; given back when it is released or goes away.
  final class Slot: Sendable {
    private let slots: TransferSlots
    private let host: String
    private let isHeld = Atomic(true)

    fileprivate init(_ slots: TransferSlots, host: String) {
      self.slots = slots
      self.host = host
    }

    /// Gives the slot back; later calls do nothing.
    func release() {
      if isHeld.exchange(false, ordering: .acquiringAndReleasing) { slots.release(host) }
    }

    deinit {
      release()
    }
  }

  private struct Waiter {
    let number: UInt64
    let host: String
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var busy: [String: Int] = [:]
    var waiters: [Waiter] = []
    var lastNumber: UInt64 = 0
    var abandoned: Set<UInt64> = []
  }

  private let perHost: Int
  private let state: Mutex<State>

  init(concurrency: Int, perHost: Int) {
    self.perHost = perHost
    state = Mutex(State(free: concurrency))
  }

  /// Waits for a slot.
  ///
  /// - Parameters:
  ///   - host: Whom the transfer is for.
  ///   - budget: How long to wait; where there is none, as long as it takes.
  /// - Returns: The slot, or nothing where the task was cancelled or the budget spent meanwhile.
  func take(for host: String, within budget: TimeBudget?) async -> Slot? {
    guard let budget else { return await take(for: host) }
    if state.withLock({ occupy(host, &$0) }) { return Slot(self, host: host) }
    return await withTaskGroup(of: Slot?.self) { group in
      group.addTask { await self.take(for: host) }
      group.addTask {
        try? await Task.sleep(for: budget.remaining)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func take(for host: String) async -> Slot? {
    let number = state.withLock { state -> UInt64? in
      if occupy(host, &state) { return nil }
      state.lastNumber += 1
      return state.lastNumber
    }
    guard let number else { return Slot(self, host: host) }
    let granted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if state.abandoned.remove(number) != nil { return false }
          if occupy(host, &state) { return true }
          state.waiters.append(Waiter(number: number, host: host, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
          state.abandoned.insert(number)
          return nil
        }
        return state.waiters.remove(at: index)
      }
      waiter?.continuation.resume(returning: false)
    }
    state.withLock { _ = $0.abandoned.remove(number) }
    return granted ? Slot(self, host: host) : nil
  }

  private func release(_ host: String) {
    let next = state.withLock { state -> Waiter? in
      state.free += 1
      let left = (state.busy[host] ?? 1) - 1
      state.busy[host] = left == 0 ? nil : left
      guard let index = state.waiters.firstIndex(where: { hasRoom($0.host, state) }) else {
        return nil
      }
      let waiter = state.waiters.remove(at: index)
      _ = occupy(waiter.host, &state)
      return waiter
    }
    next?.continuation.resume(returning: true)
  }

  private func hasRoom(_ host: String, _ state: State) -> Bool {
    state.free > 0 && (state.busy[host] ?? 0) < perHost
  }

  private func occupy(_ host: String, _ state: inout State) -> Bool {
    guard hasRoom(host, state) else { return false }
    state.free -= 1
    state.busy[host, default: 0] += 1
    return true
  }
}
