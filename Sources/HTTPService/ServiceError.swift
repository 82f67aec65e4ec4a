/// Why the service cannot start.
public struct ServiceError: Error, Sendable, Hashable {
  /// The closed set of reasons.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The configuration contradicts itself, or would open the service to strangers.
    case invalidConfiguration = "invalid-configuration"
    /// The address cannot be listened on.
    case addressUnavailable = "address-unavailable"
    /// Certificate and key cannot be used.
    case invalidCertificate = "invalid-certificate"
    /// The folder for results cannot be used.
    case storageUnavailable = "storage-unavailable"
    /// No thread, memory or descriptor is left.
    case systemLimit = "system-limit"
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
