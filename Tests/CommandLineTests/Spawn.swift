import Glibc
import Synchronization

/// Runs the built command.
struct Spawn {
  /// How a process ended.
  enum Ending: Equatable {
    case exited(Int32)
    case killed(Int32)
  }

  /// What came of a run.
  struct Outcome {
    var ending: Ending
    var output: String
    var errors: String

    var lines: [Substring] {
      output.split(separator: "\n")
    }
  }

  /// What cannot be done, in words.
  struct Failure: Error {
    let message: String
  }

  let process: pid_t

  /// Held while descriptors are made or inherited, since the calls that would make them private
  /// at once are out of reach here.
  private static let descriptors = Mutex(())

  /// Starts the command with descriptors of the caller's, who keeps them.
  init(
    _ arguments: [String],
    environment: [String: String] = [:],
    openFiles: Int? = nil,
    program: String? = nil,
    input: CInt,
    output: CInt,
    errors: CInt
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [input, output, errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(number))
    }
    let path = try program ?? Self.binary()
    // What other tests have open at the moment is not to count.
    let script = """
      for file in /proc/self/fd/*; do
        number=${file##*/}
        [ "$number" -le 2 ] || eval "exec $number>&-"
      done
      ulimit -n "$0" && exec "$@"
      """
    let shell = openFiles.map { ["/bin/bash", "-c", script, "\($0)", path] }
    let words = ((shell ?? [path]) + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let problem = Self.descriptors.withLock { _ in
      posix_spawn(&process, shell?.first ?? path, &actions, nil, words, variables)
    }
    guard problem == 0 else { throw Failure(message: String(cString: strerror(problem))) }
    self.process = process
  }

  /// Waits for the end.
  func wait() -> Ending {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
  }

  /// Runs the command to its end.
  static func run(
    _ arguments: [String],
    input: String = "",
    environment: [String: String] = [:],
    openFiles: Int? = nil,
    program: String? = nil
  ) throws -> Outcome {
    let files = try [temporaryFile(input), temporaryFile(), temporaryFile()]
    defer { for file in files { close(file) } }
    let spawn = try Spawn(
      arguments,
      environment: environment,
      openFiles: openFiles,
      program: program,
      input: files[0],
      output: files[1],
      errors: files[2]
    )
    let ending = spawn.wait()
    return Outcome(ending: ending, output: content(of: files[1]), errors: content(of: files[2]))
  }

  /// A pipe whose ends no child inherits.
  static func pipe() throws -> (read: CInt, write: CInt) {
    var ends: [CInt] = [0, 0]
    let problem = descriptors.withLock { _ in
      let problem = Glibc.pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return problem
    }
    guard problem == 0 else { throw Failure(message: "no pipe") }
    return (ends[0], ends[1])
  }

  /// A terminal: what a child writes to `child` is read from `screen`.
  static func terminal() throws -> (screen: CInt, child: CInt) {
    var screen: CInt = -1
    var child: CInt = -1
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    let problem = descriptors.withLock { _ in
      let problem = openpty(&screen, &child, nil, nil, &size)
      for end in [screen, child] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return problem
    }
    guard problem == 0 else { throw Failure(message: "no terminal") }
    return (screen, child)
  }

  /// Reads until a text has come, or nothing more does; without a text to the end.
  static func read(_ descriptor: CInt, until text: String? = nil) -> String {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      if let text, String(decoding: bytes, as: UTF8.self).contains(text) { break }
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes a short text.
  static func write(_ text: String, to descriptor: CInt) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  /// An unnamed file that holds a text, to be read from its start.
  static func temporaryFile(_ text: String = "") throws -> CInt {
    var name = Array("/tmp/affix-test-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw Failure(message: "no temporary file") }
    unlink(name)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, Array(rest), rest.count)
      guard count > 0 else { throw Failure(message: "a temporary file cannot be written") }
      rest = rest.dropFirst(count)
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  private static func content(of file: CInt) -> String {
    lseek(file, 0, SEEK_SET)
    return read(file)
  }

  /// The command that was built with these tests: it lies beside them.
  static func binary() throws -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let runner = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
    for bundle in [runner] + CommandLine.arguments {
      guard let slash = bundle.lastIndex(of: "/") else { continue }
      let path = String(bundle[...slash]) + "affix"
      if access(path, X_OK) == 0 { return path }
    }
    throw Failure(message: "there is no built command beside \(runner)")
  }
}
