/// Why a test origin could not be set up: always a fault of the machine, never of the code under
/// test.
public struct OriginError: Error, CustomStringConvertible {
  /// What was tried, and what the system answered.
  public let description: String
}
