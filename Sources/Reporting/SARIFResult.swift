import AttachmentModel
import Pipeline
import PolicyChecking

/// One result of a SARIF run.
struct SARIFResult: Encodable {
  /// Where it is: a file, or an address without what may be secret.
  struct Location: Encodable {
    struct Artifact: Encodable {
      let uri: String
    }

    /// Media have no lines, but code scanning shows nothing that has no line.
    struct Region: Encodable {
      let startLine = 1
    }

    struct Physical: Encodable {
      let artifactLocation: Artifact
      let region = Region()
    }

    let physicalLocation: Physical

    init(of reference: AttachmentReference) {
      let uri = SourceURI.text(for: reference.location)
      physicalLocation = Physical(artifactLocation: Artifact(uri: uri))
    }
  }

  /// What SARIF has no word for.
  struct Properties: Encodable {
    var policies: [String]?
    var limit: PolicyViolation.Value?
    var actual: PolicyViolation.Value?
    var unError: Int?
    var remedy: String?

    enum CodingKeys: String, CodingKey {
      case policies
      case limit
      case actual
      case unError = "un_error"
      case remedy
    }
  }

  let ruleId: String
  let ruleIndex: Int?
  let level: String
  let message: SARIFText
  let locations: [Location]
  var properties: Properties?

  /// A violation or a warning.
  init(_ finding: PolicyViolation, of policies: [String], at location: Location) {
    ruleId = finding.code.rawValue
    ruleIndex = Self.ruleIndices[ruleId]
    level = finding.code.isWarning ? "warning" : "error"
    message = SARIFText(finding.message + (finding.remedy.map { "; remedy: \($0)" } ?? ""))
    locations = [location]
    properties = Properties(
      policies: policies,
      limit: finding.limit,
      actual: finding.actual,
      unError: finding.unError,
      remedy: finding.remedy
    )
  }

  /// Why a source is unobtainable.
  init(_ error: CheckError, at location: Location) {
    ruleId = error.code
    ruleIndex = Self.ruleIndices[error.code]
    level = "error"
    message = SARIFText(error.message)
    locations = [location]
  }

  /// Every code that a result can have; previews have no results.
  static let ruleEntries = CodeTable.entries.filter { $0.kind != .preview }

  private static let ruleIndices = Dictionary(
    uniqueKeysWithValues: ruleEntries.enumerated().map { ($1.code, $0) }
  )
}
