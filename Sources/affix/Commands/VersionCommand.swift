/// `affix version`.
struct VersionCommand: Sendable {
  let operands: [String]

  /// Prints name and number.
  func run() throws(UsageError) -> ExitStatus {
    guard operands.isEmpty else {
      throw UsageError("version takes no operands", command: .version)
    }
    return StandardOutput.print("affix \(Version.number)")
  }
}
