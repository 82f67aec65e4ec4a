/// A command line, environment or configuration file that cannot be followed.
struct UsageError: Error, Sendable {
  /// What is wrong, which value, which limit, what to do; one line.
  let message: String
  /// The command whose help explains more.
  var command: Command?

  init(_ message: String, command: Command? = nil) {
    self.message = message
    self.command = command
  }
}

/// A value that an option does not take.
struct InvalidValue: Error, Sendable {
  /// What the value must be, as in `must be 1ms to 1h`.
  let requirement: String
  /// The offending value, or nothing where it may be a secret.
  let value: String?
}
