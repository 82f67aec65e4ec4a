/// What one policy says of one attachment.
public struct PolicyFindings: Sendable, Hashable, Codable {
  /// Broken rules, in the order of precedence; one is enough to reject.
  public var violations: [PolicyViolation]
  /// Traits worth knowing; they never change the verdict.
  public var warnings: [PolicyViolation]

  /// Findings of a policy.
  public init(violations: [PolicyViolation] = [], warnings: [PolicyViolation] = []) {
    self.violations = violations
    self.warnings = warnings
  }
}
