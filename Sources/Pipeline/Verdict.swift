/// What Affix answers for one source.
public enum Verdict: Sendable, Hashable {
  /// The policies accept it: it would be shown.
  case deliverable
  /// At least one policy refuses it: the violations say why.
  case rejected
  /// It could not be fetched or checked.
  case unobtainable(CheckError)

  /// `deliverable`, `rejected` or `unobtainable`.
  public var name: String {
    switch self {
    case .deliverable: "deliverable"
    case .rejected: "rejected"
    case .unobtainable: "unobtainable"
    }
  }
}
