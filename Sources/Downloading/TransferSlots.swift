import Synchronization
import TimeBudgets

/// Hands out the right to transfer: so many at once, and so many at once to one host.
///
/// First come, first served, but for those whose host is full: they let others pass.
final class TransferSlots: Sendable {
  /// The right to one transfer; given back when it is released or goes away.
  final class Slot: Sendable {
    private let slots: TransferSlots
    private let host: Int
    private let isHeld = Atomic(true)

    fileprivate init(_ slots: TransferSlots, host: Int) {
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
    let continuation: CheckedContinuation<Slot?, Never>
  }

  /// The hosts that something is transferred from, each in a place of its own while it is so.
  private struct Hosts {
    private var places: [String: Int] = [:]
    private var entries: [(name: String, busy: Int)] = []
    private var free: [Int] = []

    /// Where a host with so much room has its place; nothing where it is full.
    mutating func enter(_ name: String, limit: Int) -> Int? {
      if let place = places[name] {
        guard entries[place].busy < limit else { return nil }
        entries[place].busy += 1
        return place
      }
      let place = free.popLast() ?? entries.count
      if place == entries.count { entries.append((name, 1)) } else { entries[place] = (name, 1) }
      places[name] = place
      return place
    }

    mutating func leave(_ place: Int) {
      entries[place].busy -= 1
      guard entries[place].busy == 0 else { return }
      places[entries[place].name] = nil
      free.append(place)
    }
  }

  private struct State {
    var free: Int
    var hosts = Hosts()
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

  /// Takes a slot if there is one.
  func takeNow(for host: String) -> Slot? {
    state.withLock { occupy(host, &$0) }.map { Slot(self, host: $0) }
  }

  /// Waits for a slot.
  ///
  /// - Parameters:
  ///   - host: Whom the transfer is for.
  ///   - budget: How long to wait; where there is none, as long as it takes.
  /// - Returns: The slot, or nothing where the task was cancelled or the budget spent meanwhile.
  func take(for host: String, within budget: TimeBudget?) async -> Slot? {
    guard let budget else { return await take(for: host) }
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
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let slot = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Slot?? in
          if state.abandoned.remove(number) != nil { return .some(nil) }
          if let place = occupy(host, &state) { return Slot(self, host: place) }
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
      waiter?.continuation.resume(returning: nil)
    }
    state.withLock { _ = $0.abandoned.remove(number) }
    return slot
  }

  private func release(_ host: Int) {
    let next = state.withLock { state -> (Waiter, Slot)? in
      state.free += 1
      state.hosts.leave(host)
      for index in state.waiters.indices {
        guard let place = occupy(state.waiters[index].host, &state) else { continue }
        return (state.waiters.remove(at: index), Slot(self, host: place))
      }
      return nil
    }
    if let (waiter, slot) = next { waiter.continuation.resume(returning: slot) }
  }

  private func occupy(_ host: String, _ state: inout State) -> Int? {
    guard state.free > 0, let place = state.hosts.enter(host, limit: perHost) else { return nil }
    state.free -= 1
    return place
  }
}
