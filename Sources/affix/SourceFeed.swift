import AttachmentModel
import Downloading
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

    /// The host to fetch from, as the downloader counts transfers; nothing where there is none.
    var host: String? {
      guard case .given(let text) = self,
        case .remote(let address) = AttachmentReference(source: text).location
      else { return nil }
      return try? RequestURL(address).host
    }
  }

  /// Counted from 0.
  let index: Int
  /// What stands there.
  let content: Content
  /// Its host, where hosts take turns.
  let host: String?
}

/// Hands out sources one by one: arguments, and in the place of `-` the lines of standard input.
///
/// Input is read only when someone waits for a source and none is left, a piece at a time, on a
/// thread of its own: a million lines take the memory of one piece, and a slow writer holds up
/// nobody but those who wait for its lines.
///
/// While the first sources are all of one host, some are set aside, and the input behind them is
/// read as far as it has come.
final class SourceFeed: Sendable {
  private struct State {
    var arguments: ArraySlice<String>
    var lines: ArraySlice<Source.Content> = []
    var splitter = LineSplitter()
    /// Nothing where all go in order.
    var turns: HostTurns?
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

  /// How many sources may be set aside before no more input is read to find others.
  private static let patience = 1_024

  private let state: Mutex<State>
  private let thread: JobThreads?

  /// A feed of arguments, at most one of which is `-`.
  ///
  /// - Parameters:
  ///   - arguments: What was given.
  ///   - share: How many sources of one host may be in hand while there are others; nothing: as
  ///     many as there are, and all in the order given.
  init(_ arguments: [String], hostShare share: Int?) {
    state = Mutex(State(arguments: arguments[...], turns: share.map(HostTurns.init)))
    thread = arguments.contains("-") ? JobThreads.forBlockingCalls() : nil
  }

  /// The next source.
  ///
  /// - Parameter last: What the taker had in hand until now.
  /// - Returns: Nothing at the end and after `stop()`.
  func next(after last: Source?) async -> Source? {
    let answer = state.withLock { state in
      if let last { state.turns?.finish(last) }
      return Self.take(&state, mayWait: nil)
    }
    if case .source(let source) = answer { return source }
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

  /// Finds a source.
  ///
  /// - Parameters:
  ///   - state: All that is known.
  ///   - continuation: Who waits for input if there is none; nothing: nobody.
  ///   - inputIsSlow: Whether to take what was set aside rather than wait.
  /// - Returns: A source, the end, or that input must be read.
  private static func take(
    _ state: inout State,
    mayWait continuation: CheckedContinuation<Source?, Never>?,
    inputIsSlow: Bool = false
  ) -> Answer {
    if state.isStopped { return .source(nil) }
    if let source = state.turns?.nextInTurn() { return .source(source) }
    while let source = following(&state) {
      if state.turns?.admit(source) ?? true { return .source(source) }
    }
    let readsOn = state.isOnInput && !inputIsSlow && state.turns?.waiting ?? 0 < patience
    if !readsOn, let source = state.turns?.nextOutOfTurn() { return .source(source) }
    guard state.isOnInput else { return .source(nil) }
    guard let continuation else { return .wait(mustRead: false) }
    state.waiting.append(continuation)
    defer { state.isReading = true }
    return .wait(mustRead: !state.isReading)
  }

  /// The next one in order; nothing at the end, and where input has to be read first.
  private static func following(_ state: inout State) -> Source? {
    guard let content = state.lines.popFirst() ?? nextArgument(&state) else { return nil }
    defer { state.nextIndex += 1 }
    let host = state.turns == nil ? nil : content.host
    return Source(index: state.nextIndex, content: content, host: host)
  }

  private static func nextArgument(_ state: inout State) -> Source.Content? {
    guard !state.isOnInput, let argument = state.arguments.popFirst() else { return nil }
    state.isOnInput = argument == "-"
    return state.isOnInput ? nil : .given(argument)
  }

  /// Reads until nobody waits any more; runs on the feed's thread.
  private func read() {
    var piece = [UInt8](repeating: 0, count: 64 * 1_024)
    var goesOn = true
    while goesOn {
      if !Self.inputIsReady, !serve(inputIsSlow: true) { return }
      let count = Self.readInput(&piece)
      let problem = count < 0 ? errno : 0
      state.withLock { state in
        if count > 0 {
          state.lines = state.splitter.lines(in: piece[..<count])[...]
        } else {
          state.lines = state.splitter.end()[...]
          if problem != 0 { state.lines.append(Self.unreadable(problem)) }
          state.isOnInput = false
        }
      }
      goesOn = serve(inputIsSlow: false)
    }
  }

  /// Gives those who wait what there is; true where some still wait.
  private func serve(inputIsSlow: Bool) -> Bool {
    let (served, isUnserved) = state.withLock { state in
      var served: [(CheckedContinuation<Source?, Never>, Source?)] = []
      while !state.waiting.isEmpty,
        case .source(let source) = Self.take(&state, mayWait: nil, inputIsSlow: inputIsSlow)
      {
        served.append((state.waiting.removeFirst(), source))
      }
      state.isReading = !state.waiting.isEmpty
      return (served, state.isReading)
    }
    for (continuation, source) in served { continuation.resume(returning: source) }
    return isUnserved
  }

  /// Whether something can be read at once, were it the end.
  private static var inputIsReady: Bool {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
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
