import AttachmentModel
import DecoderSandbox
import Dispatch
import Glibc
import Synchronization
import Threading
import TimeBudgets

/// Asks about many files of which every tenth kills its child, and counts what is left behind.
struct Soak {
  let files: Int
  let callers: Int

  func run() -> Never {
    guard let examiner = try? CagedExaminer(CagedExaminer.Configuration(children: 2)),
      let threads = JobThreads(count: callers)
    else { exit(70) }
    // What is opened once is open before anything is counted.
    _ = Self.ask(examiner, "one more", .seconds(10))
    let before = Self.descriptors()
    let memory = Self.residentKilobytes()
    let right = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    for number in 0..<files {
      threads.submit {
        let words = number % 10 == 0 ? "crash" : "file \(number)"
        if Self.isRight(Self.ask(examiner, words, .seconds(30)), words) {
          right.withLock { $0 += 1 }
        }
        done.signal()
      }
    }
    for _ in 0..<files { done.wait() }
    let growth = Self.residentKilobytes() - memory
    let descriptors = Self.descriptors() - before
    examiner.close()
    let children = waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD ? 0 : 1
    threads.stop()
    print(
      "right \(right.withLock { $0 }), descriptors \(descriptors), children \(children), "
        + "growth \(growth > 20_000 ? "\(growth) kB" : "small")"
    )
    exit(0)
  }

  /// Keeps a child busy for as long as this process lives.
  static func hold() -> Never {
    guard let examiner = try? CagedExaminer(CagedExaminer.Configuration(children: 1)) else {
      exit(70)
    }
    _ = ask(examiner, "spin", .seconds(600))
    exit(0)
  }

  /// Asks when nothing more can be opened.
  static func starve() -> Never {
    guard let examiner = try? CagedExaminer(CagedExaminer.Configuration(children: 1)) else {
      exit(70)
    }
    let file = open("/proc/self/exe", O_RDONLY)
    while open("/dev/null", O_RDONLY) >= 0 {}
    let slice = FileSlice(descriptor: file, size: ByteCount(4))
    let question = ExaminationQuestion(decodesPixels: false, previews: [], pixelLimit: 1)
    do {
      _ = try examiner.examine(slice, question, within: TimeBudget(.seconds(20)))
      print("answered")
    } catch {
      print(error.code.rawValue)
    }
    exit(0)
  }

  private static func isRight(_ answer: ExaminationAnswer?, _ words: String) -> Bool {
    guard let inspection = answer?.inspection else { return false }
    return words == "crash"
      ? inspection.findings.contains { $0.kind == .corrupt && $0.detail.contains("SIGSEGV") }
      : inspection.contentName == words && inspection.findings.isEmpty
  }

  private static func ask(
    _ examiner: CagedExaminer,
    _ words: String,
    _ allowance: Duration
  ) -> ExaminationAnswer? {
    var name = Array("/tmp/affix-probe-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    defer { close(file) }
    unlink(name)
    write(file, words, words.utf8.count)
    let question = ExaminationQuestion(decodesPixels: false, previews: [], pixelLimit: 1)
    let slice = FileSlice(descriptor: file, size: ByteCount(Int64(words.utf8.count)))
    return try? examiner.examine(slice, question, within: TimeBudget(allowance))
  }

  /// The two of each child are not counted, for at the moment there may be one child more or less.
  private static func descriptors() -> Int {
    (0..<1_024).count { (number: CInt) in
      var status = stat()
      return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  private static func residentKilobytes() -> Int {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(file, &text, text.count)
    let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4
  }
}
