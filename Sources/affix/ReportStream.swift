import Glibc
import Synchronization
import Threading

/// Takes rendered reports from many tasks and writes them to a descriptor, whole and one after
/// the other, as they finish or in the order given.
///
/// Never holds more than a bounded number: who delivers too much, or too far ahead of a slow
/// source, waits. One write takes whatever has gathered meanwhile.
final class ReportStream: Sendable {
  private struct State {
    var gathered: [UInt8] = []
    /// Reports that wait for their predecessors.
    var held: [Int: [UInt8]] = [:]
    var nextIndex = 0
    var isWriting = false
    var isStopped = false
    var failure: StandardOutput.Failure?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// How far ahead of the slowest source results may be; also bounds what an ordered run holds.
  private static let window = 1_024
  /// How many bytes may wait for a slow reader.
  private static let roomBytes = 1 << 20

  private let state = Mutex(State())
  private let isOrdered: Bool
  private let thread: JobThreads
  private let progress: ProgressBar?
  private let descriptor: CInt

  /// A stream to standard output, or to another descriptor, which must stay open.
  init(
    to descriptor: CInt = STDOUT_FILENO,
    isOrdered: Bool,
    thread: JobThreads,
    progress: ProgressBar? = nil
  ) {
    self.descriptor = descriptor
    self.isOrdered = isOrdered
    self.thread = thread
    self.progress = progress
  }

  /// Why nothing more can be written, if so.
  var failure: StandardOutput.Failure? {
    state.withLock(\.failure)
  }

  /// Writes something that belongs to no source, such as a table's header.
  func write(_ bytes: [UInt8]) {
    state.withLock { $0.gathered += bytes }
    startWriting()
  }

  /// Takes a report; waits while there is no room.
  ///
  /// - Parameters:
  ///   - bytes: The rendered report, with its line end.
  ///   - index: Its source's place; every place is delivered once.
  /// - Returns: Whether more is welcome.
  func deliver(_ bytes: [UInt8], at index: Int) async -> Bool {
    progress?.advance()
    state.withLock { state in
      guard isOrdered else {
        state.gathered += bytes
        return
      }
      state.held[index] = bytes
      while let next = state.held.removeValue(forKey: state.nextIndex) {
        state.gathered += next
        state.nextIndex += 1
      }
    }
    startWriting()
    wakeWaiting()
    while !hasRoom(after: index) {
      await withCheckedContinuation { continuation in
        let isLate = state.withLock { state in
          if Self.hasRoom(state, after: index, isOrdered: isOrdered) { return true }
          state.waiting.append(continuation)
          return false
        }
        if isLate { continuation.resume() }
      }
    }
    return state.withLock { $0.failure == nil && !$0.isStopped }
  }

  /// Lets everyone go who waits for room; nothing more is to come.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeWaiting()
  }

  /// Writes what is left, also what waits for predecessors that never came, and waits for the
  /// last byte to be taken.
  func finish() async {
    state.withLock { state in
      for index in state.held.keys.sorted() { state.gathered += state.held[index] ?? [] }
      state.held = [:]
    }
    startWriting()
    await withCheckedContinuation { continuation in
      thread.submit {
        self.progress?.finish()
        continuation.resume()
      }
    }
  }

  /// Draws the progress bar anew.
  func refreshProgress() {
    guard let progress else { return }
    thread.submit { progress.draw() }
  }

  private func startWriting() {
    let mustStart = state.withLock { state in
      guard !state.isWriting, !state.gathered.isEmpty else { return false }
      state.isWriting = true
      return true
    }
    if mustStart { thread.submit { self.drain() } }
  }

  /// Writes until nothing is left; runs on the output thread.
  ///
  /// After each write it pauses for a millisecond: in a long run many reports gather meanwhile, and
  /// none of them has to wake the thread.
  private func drain() {
    while let bytes = takeGathered() {
      defer { poll(nil, 0, 1) }
      progress?.clear()
      do {
        try StandardOutput.write(bytes, to: descriptor)
      } catch {
        state.withLock { $0.failure = error }
      }
      wakeWaiting()
    }
  }

  private func takeGathered() -> [UInt8]? {
    state.withLock { state in
      guard state.failure == nil, !state.gathered.isEmpty else {
        state.isWriting = false
        state.gathered = []
        return nil
      }
      defer { state.gathered = [] }
      return state.gathered
    }
  }

  private func hasRoom(after index: Int) -> Bool {
    state.withLock { Self.hasRoom($0, after: index, isOrdered: isOrdered) }
  }

  private static func hasRoom(_ state: borrowing State, after index: Int, isOrdered: Bool) -> Bool {
    if state.failure != nil || state.isStopped { return true }
    return state.gathered.count < roomBytes && (!isOrdered || index < state.nextIndex + window)
  }

  private func wakeWaiting() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
