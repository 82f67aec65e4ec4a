import AttachmentModel
import Glibc
import Pipeline
import PolicyChecking

/// What to do where a list of sources is named as if it were one of them.
enum ListRemedy {
  /// How much of a file is looked at.
  private static let shownBytes = 4_096

  /// The report of a source, with a better remedy where the source is a list.
  ///
  /// Reads the beginning of a file that was read a moment ago, and of no other kind than text.
  ///
  /// - Parameter report: As the pipeline made it.
  /// - Returns: The same, but for the remedy.
  static func advising(in report: AttachmentReport) -> AttachmentReport {
    guard report.verdict == .rejected, case .local(let path) = report.evidence.reference.location,
      let format = report.evidence.inspection?.format, [.txt, .other].contains(format),
      report.policies.contains(where: { $0.findings.violations.contains(where: isOfType) }),
      let remedy = remedy(at: path)
    else { return report }
    var report = report
    for policy in report.policies.indices {
      let violations = report.policies[policy].findings.violations
      for index in violations.indices where isOfType(violations[index]) {
        report.policies[policy].findings.violations[index].remedy = remedy
      }
    }
    return report
  }

  private static func isOfType(_ violation: PolicyViolation) -> Bool {
    violation.code == .unsupportedType
  }

  private static func remedy(at path: String) -> String? {
    guard let line = firstLine(at: path) else { return nil }
    let isJSON = ["{", "["].contains(line.first)
    if isJSON {
      guard line.contains("http://") || line.contains("https://") else { return nil }
    } else if case .local(let named) = AttachmentReference(source: line).location {
      guard access(named, F_OK) == 0 else { return nil }
    }
    let isPlain = path.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "./_-".utf8.contains($0)
      }
    }
    let command = "affix check - <\(isPlain ? path : "FILE")"
    return isJSON
      ? "if this is a list of sources, write each on a line of its own, without JSON, and give it on "
        + "standard input: \(command)"
      : "if this is a list of sources, give it on standard input: \(command)"
  }

  /// The first line that would be a source, if the file were such a list.
  private static func firstLine(at path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var piece = [UInt8](repeating: 0, count: shownBytes)
    let count = read(file, &piece, piece.count)
    guard count > 0 else { return nil }
    var splitter = LineSplitter()
    let lines = splitter.lines(in: piece[..<count]) + splitter.end()
    guard case .given(let line)? = lines.first else { return nil }
    return line
  }
}
