public import AttachmentModel
public import PolicyChecking
public import TimeBudgets

/// Everything that Affix found out about one source: the verdict, its reasons, and the time.
public struct AttachmentReport: Sendable {
  /// What one policy said.
  public struct PolicyResult: Sendable, Hashable {
    /// The policy's name.
    public var policy: String
    /// Its findings.
    public var findings: PolicyFindings

    /// What a policy said.
    public init(policy: String, findings: PolicyFindings) {
      self.policy = policy
      self.findings = findings
    }
  }

  /// Where the bytes are kept, and what they hash to.
  public struct StoredFile: Sendable, Hashable {
    /// The path; absent where the file is not kept.
    public var path: String?
    /// `<sha256>.<ext>`; absent where nothing was hashed.
    public var name: String?
    /// Lower-case hexadecimal; absent where nothing was hashed.
    public var sha256: String?

    /// What is known about where bytes are kept.
    public init(path: String? = nil, name: String? = nil, sha256: String? = nil) {
      self.path = path
      self.name = name
      self.sha256 = sha256
    }
  }

  /// A preview, or why there is none.
  public struct PreviewResult: Sendable, Hashable {
    /// The outcome of one request.
    public var outcome: ImageExamination.Outcome
    /// Where it is kept; absent where it is not.
    public var path: String?

    /// What came of a request.
    public init(outcome: ImageExamination.Outcome, path: String? = nil) {
      self.outcome = outcome
      self.path = path
    }
  }

  /// As given.
  public var source: String
  /// The answer.
  public var verdict: Verdict
  /// What each policy said, in the order asked for; empty where nothing was obtained.
  public var policies: [PolicyResult] = []
  /// What the answer rests on.
  public var evidence: AttachmentEvidence
  /// The stored file, where there is one to speak of.
  @Indirect public var file: StoredFile? = nil
  /// The file itself, open, where the terms asked for it; no part of the JSON.
  ///
  /// A fetched one is removed when nobody refers to it any more.
  public var attachment: AttachmentFile?
  /// One result a requested preview.
  public var previews: [PreviewResult] = []
  /// What was made of a file that is not as it should be; absent where it is, or nobody asked.
  @Indirect public var repair: Repair? = nil
  /// A small picture for reports; never kept, and no part of the JSON.
  @Indirect public var thumbnail: Preview? = nil
  /// Where the time went.
  public var ledger: BudgetLedger

  /// Violations of every policy, each rule once.
  public var violations: [PolicyViolation] {
    Self.merged(policies.map(\.findings.violations))
  }

  /// Warnings of every policy, each rule once.
  public var warnings: [PolicyViolation] {
    Self.merged(policies.map(\.findings.warnings))
  }

  private static func merged(_ lists: [[PolicyViolation]]) -> [PolicyViolation] {
    // A handful at most, so that looking through them is quicker than hashing.
    lists.joined().reduce(into: []) { merged, violation in
      if !merged.contains(where: { $0.code == violation.code }) { merged.append(violation) }
    }
  }
}
