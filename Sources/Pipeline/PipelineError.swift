/// Why no report can be written at all: a fault of the machine or of the configuration.
public struct PipelineError: Error, Sendable, Hashable {
  /// The closed set of reasons.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The configuration contradicts itself.
    case invalidConfiguration = "invalid-configuration"
    /// The attachment or output directory cannot be made or written.
    case storageUnavailable = "storage-unavailable"
    /// libcurl, libmagic or libvips cannot be started; where that shows only when a file is
    /// examined, the code of its report's error.
    case libraryUnavailable = "library-unavailable"
  }

  /// Which reason.
  public let code: Code
  /// What happened, which value, what to do; one line.
  public let message: String

  /// A reason with its explanation.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
