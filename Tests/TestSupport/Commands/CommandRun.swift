import Glibc

/// What became of a command: how it ended, what it said, and how long it took.
///
/// ```swift
/// let run = try await CommandRun.of(CommandRun.affix, ["check", "--json", url])
/// #expect(run.ending == .exited(0))
/// ```
public struct CommandRun: Sendable {
  /// How a command ended.
  public enum Ending: Sendable, Hashable {
    /// By itself, with a status.
    case exited(CInt)
    /// By a signal, its own deadline's included, which is SIGKILL.
    case signalled(CInt)
  }

  /// What a command reads.
  public enum Input: Sendable, Hashable {
    /// An empty file.
    case nothing
    /// Bytes: from a pipe up to 64 kB, from a file beyond.
    case bytes([UInt8])
  }

  /// What becomes of what a command prints.
  public enum Output: Sendable, Hashable {
    /// It is kept.
    case captured
    /// It goes into a pipe whose reader has left.
    case closedPipe
  }

  /// How it ended.
  public let ending: Ending
  /// Whether it had to be killed because its time was over, or it printed over 256 MB.
  public let missedDeadline: Bool
  /// What it wrote to standard output.
  public let outputBytes: [UInt8]
  /// What it wrote to standard error.
  public let errorBytes: [UInt8]
  /// From its start to its end.
  public let elapsed: Duration

  /// What it wrote to standard output, as text.
  public var output: String {
    String(decoding: outputBytes, as: UTF8.self)
  }

  /// What it wrote to standard error, as text.
  public var errorOutput: String {
    String(decoding: errorBytes, as: UTF8.self)
  }

  /// An environment with nothing of the machine's in it but a search path.
  public static let plainEnvironment = Sanitizer.settings.merging(
    ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
  ) { $1 }

  /// Runs a command to its end.
  ///
  /// Cancelling the task does not end the command; its deadline does.
  ///
  /// - Parameters:
  ///   - path: The program's path.
  ///   - arguments: What follows the program's name.
  ///   - environment: All of it; nothing is inherited.
  ///   - folder: Where it runs; the test's own folder where this is left out.
  ///   - input: What it reads.
  ///   - output: What becomes of its standard output.
  ///   - deadline: After this it is killed, with all its children.
  /// - Returns: What became of it.
  /// - Throws: Where it cannot be started.
  public static func of(
    _ path: String,
    _ arguments: [String] = [],
    environment: [String: String] = plainEnvironment,
    in folder: String? = nil,
    input: Input = .nothing,
    output: Output = .captured,
    deadline: Duration = .seconds(20)
  ) async throws(OriginError) -> CommandRun {
    let command = try RunningCommand(
      path,
      arguments,
      environment: environment,
      in: folder,
      input: input,
      output: output,
      deadline: deadline
    )
    return await command.run()
  }
}
