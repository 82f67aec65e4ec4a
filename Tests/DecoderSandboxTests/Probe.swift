import AttachmentModel
import DecoderSandbox
import Dispatch
import Glibc
import TestSupport
import Testing
import Threading
import TimeBudgets

/// An examiner whose children do what files tell them, and the files for it.
struct Probe {
  let examiner: CagedExaminer

  init(_ change: (inout CagedExaminer.Configuration) -> Void = { _ in }) throws {
    var configuration = CagedExaminer.Configuration(children: 1)
    configuration.executable = try CommandRun.built("DecoderProbe")
    change(&configuration)
    examiner = try CagedExaminer(configuration)
  }

  /// Asks about a file that holds some words.
  func ask(
    _ words: String,
    within allowance: Duration = .seconds(20)
  ) throws -> ExaminationAnswer {
    let file = try TemporaryFile(holding: Array(words.utf8))
    let question = ExaminationQuestion(decodesPixels: false, previews: [], pixelLimit: 1)
    return try examiner.examine(file.slice, question, within: TimeBudget(allowance))
  }

  /// Asks about several files at once, each on a thread of its own, in the order given.
  func ask(
    all words: [(String, Duration)]
  ) async -> [Result<ExaminationAnswer, any Error>] {
    await withTaskGroup(of: (Int, Result<ExaminationAnswer, any Error>).self) { group in
      for (index, (words, allowance)) in words.enumerated() {
        group.addTask {
          // Far enough apart that the first one stands first.
          try? await Task.sleep(for: .milliseconds(100 * index))
          return await withCheckedContinuation { continuation in
            let isStarted = BackgroundThread.start {
              continuation.resume(
                returning: (index, Result { try ask(words, within: allowance) })
              )
            }
            precondition(isStarted)
          }
        }
      }
      return await group.reduce(into: [Int: Result<ExaminationAnswer, any Error>]()) {
        $0[$1.0] = $1.1
      }.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}

/// A file without a name.
final class TemporaryFile {
  let slice: FileSlice

  init(holding bytes: [UInt8]) throws {
    var name = Array("/tmp/affix-sandbox-test-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    try #require(file >= 0)
    unlink(name)
    try #require(write(file, bytes, bytes.count) == bytes.count)
    slice = FileSlice(descriptor: file, size: ByteCount(Int64(bytes.count)))
  }

  deinit {
    close(slice.descriptor)
  }
}
