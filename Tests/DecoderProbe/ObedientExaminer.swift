import AttachmentModel
import DecoderSandbox
import Glibc
import TimeBudgets

/// Does what a file says, and answers with how that went.
struct ObedientExaminer: FileExamining {
  let surroundings: Surroundings

  var callersPerWorker: Int { 1 }
  var notice: String? { nil }
  var activity: ExaminerActivity { ExaminerActivity() }
  func awaitReadiness() {}
  func close() {}

  func examine(
    _ slice: FileSlice,
    _ question: ExaminationQuestion,
    within budget: TimeBudget
  ) throws(ExaminationError) -> ExaminationAnswer {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = pread(slice.descriptor, &bytes, bytes.count, 0)
    let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    var inspection = MediaInspection(format: .other, size: slice.size)
    inspection.contentName = obey(words, slice.descriptor)
    return ExaminationAnswer(inspection: inspection, pixels: .unasked, inspectTime: .zero)
  }

  private func obey(_ words: String, _ file: CInt) -> String {
    var byte: UInt8 = 0
    if words == "spin and crash" { wait(.milliseconds(500)) }
    switch words.split(separator: " ").last {
    case "crash":
      // Invariant: none; nothing lies at this address, which is the point.
      UnsafeMutablePointer<UInt8>(bitPattern: 16)?.pointee = 1
    case "abort":
      abort()
    case "spin":
      wait(.seconds(3_600))
    case "allocate":
      var pieces: [[UInt8]] = []
      while pieces.count < 1_000_000 { pieces.append(Array(repeating: 1, count: 16 << 20)) }
    case "open":
      return open("/etc/passwd", O_RDONLY) < 0 ? "refused: errno \(errno)" : "opened"
    case "create":
      return open("/tmp/affix-probe", O_RDWR | O_CREAT, 0o600) < 0
        ? "refused: errno \(errno)" : "created"
    case "connect":
      _ = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    case "fork":
      var child: pid_t = 0
      _ = posix_spawn(&child, "/bin/true", nil, nil, [nil], [nil])
    case "exec":
      execv("/bin/true", [nil])
    case "kill":
      kill(getppid(), SIGKILL)
    case "write":
      _ = pwrite(file, &byte, 1, 0)
    case "overwrite":
      _ = Glibc.write(file, &byte, 1)
    case "map":
      _ = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    case "execute":
      _ = mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    case "hang-up":
      Glibc.close(3)
    case "leave":
      exit(0)
    case "flood":
      send([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    case "swell":
      send([2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F])
    case "babble":
      send([2, 0, 0, 0, 0, 0, 0, 0, 0x7B, 0xFE])
    case "lie":
      return String(repeating: "\u{1B}[2J", count: 400)
    case "surroundings":
      return surroundings.description
    default:
      return words
    }
    return "survived"
  }

  /// Computes for a while, since there is no call to sleep by.
  private func wait(_ time: Duration) {
    let budget = TimeBudget(time)
    while !budget.isSpent { sched_yield() }
  }

  /// Writes to the parent, past everything that would be written by itself.
  private func send(_ bytes: [UInt8]) {
    var bytes = bytes
    bytes.withUnsafeMutableBytes { buffer in
      var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
      var message = msghdr()
      message.msg_iovlen = 1
      // Invariant: both pointers are used within the call alone.
      withUnsafeMutablePointer(to: &part) { pointer in
        message.msg_iov = pointer
        _ = sendmsg(3, &message, 0)
      }
    }
  }
}
