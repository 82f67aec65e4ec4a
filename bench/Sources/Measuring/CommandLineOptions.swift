/// Options of the form `--name value`, as the scripts beside this package pass them.
public struct CommandLineOptions: Sendable {
  private let values: [String: String]

  /// Reads the options of this process.
  ///
  /// Stops the process with status 64 where an option has no value.
  public init() {
    var values: [String: String] = [:]
    var words = CommandLine.arguments.dropFirst()
    while let name = words.popFirst() {
      guard name.hasPrefix("--"), let value = words.popFirst() else {
        stop("\(name): write --name value", status: 64)
      }
      values[String(name.dropFirst(2))] = value
    }
    self.values = values
  }

  /// The value of an option that must be there.
  public func text(_ name: String) -> String {
    guard let value = values[name] else { stop("--\(name) is missing", status: 64) }
    return value
  }

  /// The value of an option that may be absent.
  public func optionalText(_ name: String) -> String? {
    values[name]
  }

  /// A whole number; the default where the option is absent.
  ///
  /// - Parameters:
  ///   - name: The option, without dashes.
  ///   - fallback: What holds where the option is absent.
  /// - Returns: The number.
  public func number(_ name: String, default fallback: Int) -> Int {
    guard let text = values[name] else { return fallback }
    guard let number = Int(text) else { stop("--\(name) \(text) is no number", status: 64) }
    return number
  }
}
