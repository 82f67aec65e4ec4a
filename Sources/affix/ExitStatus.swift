/// What the process answers with; scripts rely on the numbers.
enum ExitStatus: Int32, Sendable {
  /// Every source is deliverable, or the command did what it was asked.
  case success = 0
  /// At least one source is rejected, or a preview cannot be made of it.
  case rejected = 1
  /// At least one source could not be obtained or checked; wins over `rejected`.
  case unobtainable = 2
  /// The command line, the environment or the configuration file is wrong (EX_USAGE).
  case usage = 64
  /// A fault of our own or of the machine (EX_SOFTWARE).
  case fault = 70
  /// Ended by SIGHUP.
  case hungUp = 129
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGQUIT.
  case quit = 131
  /// Ended by SIGTERM.
  case terminated = 143
}
