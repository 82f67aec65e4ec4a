import Glibc
import Pipeline
import Synchronization
import Threading

/// One thing to check, with its place in the order given.
struct Source: Sendable {
  /// What stands there.
  enum Content: Sendable {
    /// An address or a path.
    case given(String)
    /// Something that cannot be one, with what to show for it and why.
    case unusable(String, CheckError)
  }

  /// Counted from 0.
  let index: Int
  /// What stands there.
  let content: Content
}

/// Hands out sources one by one: arguments, and in the place of `-` the lines of standard input.
///
/// Input is read only when someone waits for a source and none is left, a piece at a time, on a
/// thread of its own: a million lines take the memory of one piece, and a slow writer holds up
/// nobody but those who wait for its lines.
final class SourceFeed: Sendable {
  private struct State {
    var arguments: ArraySlice<String>
    var lines: ArraySlice<Source.Content> = []
    var splitter = LineSplitter()
    var nextIndex = 0
    var isOnInput = false
    var isReading = false
    var isStopped = false
    var waiting: [CheckedContinuation<Source?, Never>] = []
  }

  /// What a taker gets: an answer, or the wait for input that someone must read.
  private enum Answer {
    case source(Source?)
    case wait(mustRead: Bool)
  }

  private let state: Mutex<State>
  private let thread: JobThreads?

  /// A feed of arguments, at most one of which is `-`.
  init(_ arguments: [String]) {
    state = Mutex(State(arguments: arguments[...]))
    thread = arguments.contains("-") ? JobThreads.forBlockingCalls() : nil
  }

  /// The next source, or nothing at the end and after `stop()`.
  func next() async -> Source? {
    if case .source(let source) = state.withLock({ Self.take(&$0, mayWait: nil) }) { return source }
    return await withCheckedContinuation { continuation in
      switch state.withLock({ Self.take(&$0, mayWait: continuation) }) {
      case .source(let source): continuation.resume(returning: source)
      case .wait(let mustRead): if mustRead { thread?.submit { self.read() } }
      }
    }
  }

  /// Ends the feed for everyone, also for those who wait.
  func stop() {
    let waiting = state.withLock { state in
      state.isStopped = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }

  private static func take(
    _ state: inout State,
    mayWait continuation: CheckedContinuation<Source?, Never>?
  ) -> Answer {
    if state.isStopped { return .source(nil) }
    if let line = state.lines.popFirst() { return .source(numbered(line, &state)) }
    if !state.isOnInput {
      guard let argument = state.arguments.popFirst() else { return .source(nil) }
      guard argument == "-" else { return .source(numbered(.given(argument), &state)) }
      state.isOnInput = true
    }
    guard let continuation else { return .wait(mustRead: false) }
    state.waiting.append(continuation)
    defer { state.isReading = true }
    return .wait(mustRead: !state.isReading)
  }

  private static func numbered(_ content: Source.Content, _ state: inout State) -> Source {
    defer { state.nextIndex += 1 }
    return Source(index: state.nextIndex, content: content)
  }

  /// Reads until nobody waits any more; runs on the feed's thread.
  private func read() {
    var piece = [UInt8](repeating: 0, count: 64 * 1_024)
    var goesOn = true
    while goesOn {
      let count = Self.readInput(&piece)
      let problem = count < 0 ? errno : 0
      let (served, isUnserved) = state.withLock { state in
        if count > 0 {
          state.lines = state.splitter.lines(in: piece[..<count])[...]
        } else {
          state.lines = state.splitter.end()[...]
          if problem != 0 { state.lines.append(Self.unreadable(problem)) }
          state.isOnInput = false
        }
        return Self.serve(&state)
      }
      for (continuation, source) in served { continuation.resume(returning: source) }
      goesOn = isUnserved
    }
  }

  private static func serve(
    _ state: inout State
  ) -> (served: [(CheckedContinuation<Source?, Never>, Source?)], isUnserved: Bool) {
    var served: [(CheckedContinuation<Source?, Never>, Source?)] = []
    while !state.waiting.isEmpty {
      guard case .source(let source) = take(&state, mayWait: nil) else { break }
      served.append((state.waiting.removeFirst(), source))
    }
    state.isReading = !state.waiting.isEmpty
    return (served, state.isReading)
  }

  private static func readInput(_ piece: inout [UInt8]) -> Int {
    while true {
      let count = Glibc.read(STDIN_FILENO, &piece, piece.count)
      if count >= 0 { return count }
      if errno == EAGAIN {
        var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, -1)
      } else if errno != EINTR {
        return count
      }
    }
  }

  private static func unreadable(_ problem: CInt) -> Source.Content {
    let reason = String(cString: strerror(problem))
    return .unusable(
      "-",
      CheckError(code: "unreadable", message: "standard input cannot be read: \(reason)")
    )
  }
}
