public import FoundationEssentials
public import Pipeline

/// What is known of a run when it is over.
public struct RunSummary: Sendable, Hashable {
  /// How many sources got which answer.
  public var totals: ReportTotals
  /// When the run began.
  public var start: Date
  /// How long it took.
  public var elapsed: Duration
  /// The version of Affix.
  public var version: String

  /// A run's figures.
  public init(totals: ReportTotals, start: Date, elapsed: Duration, version: String) {
    self.totals = totals
    self.start = start
    self.elapsed = elapsed
    self.version = version
  }
}

/// A report on a whole run, in pieces: what stands before, for each source, and behind.
///
/// Pieces for sources are made while the run goes on, and head and foot when it is over: they tell
/// the totals. Whoever writes the document therefore keeps the pieces in a file, not in memory.
///
/// ```swift
/// let document = ReportFormat.junit.document
/// let text = document.head(summary) + reports.map(document.piece).joined() + document.foot(summary)
/// ```
public protocol ReportDocument: Sendable {
  /// What every piece begins with and the first one loses; empty in most formats.
  var separator: String { get }

  /// What stands before the pieces.
  func head(_ summary: RunSummary) -> String

  /// What stands for one source, with a separator before each of its items.
  func piece(for report: AttachmentReport) -> String

  /// What stands behind the pieces.
  func foot(_ summary: RunSummary) -> String
}

extension ReportDocument {
  /// Most formats need none.
  public var separator: String { "" }

  /// The whole document, for a run whose reports are at hand.
  ///
  /// - Parameters:
  ///   - reports: In the order in which they are to stand.
  ///   - summary: The run's figures.
  /// - Returns: The text of the file.
  public func text(of reports: [AttachmentReport], _ summary: RunSummary) -> String {
    let pieces = reports.map(piece).joined()
    return head(summary) + pieces.dropFirst(pieces.isEmpty ? 0 : separator.count) + foot(summary)
  }
}

/// The report files that can be asked for; raw values are what the command line takes.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// JUnit XML, which test dashboards read.
  case junit
  /// SARIF 2.1.0, which code scanning reads.
  case sarif
  /// One page for people.
  case html

  /// What writes it.
  public var document: any ReportDocument {
    switch self {
    case .junit: JUnitDocument()
    case .sarif: SARIFDocument()
    case .html: HTMLDocument()
    }
  }
}
