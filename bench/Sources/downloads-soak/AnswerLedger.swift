import Downloading
import Synchronization

/// Which source was answered how often, and how wrongly.
final class AnswerLedger: Sendable {
  private struct State {
    var answers: [UInt8]
    var unexpected: [String] = []
  }

  private let state: Mutex<State>

  init(count: Int) {
    state = Mutex(State(answers: Array(repeating: 0, count: count)))
  }

  /// Whether every source was answered exactly once, and what was not as it should be.
  var summary: (answeredOnce: Bool, unexpected: [String]) {
    state.withLock { ($0.answers.allSatisfy { $0 == 1 }, $0.unexpected) }
  }

  /// Notes an answer.
  ///
  /// - Parameters:
  ///   - index: Whose answer.
  ///   - code: The error; nothing for a whole file.
  ///   - source: What was expected.
  func note(_ index: Int, _ code: DownloadError.Code?, expected source: SoakSources.Source) {
    let isRight = code.map { source.codes.contains($0) } ?? source.codes.isEmpty
    state.withLock { state in
      state.answers[index] &+= 1
      if !isRight {
        state.unexpected.append("\(source.address): \(code?.rawValue ?? "a whole file")")
      }
    }
  }
}
