import AttachmentModel
import Pipeline
import PolicyChecking
import TimeBudgets

/// Foreign text made fit for XML and HTML.
enum MarkupText {
  /// Text for an element or a quoted attribute: nothing in it can end either, no terminal or
  /// reader is misled by it, and every character is one that XML 1.0 allows (section 2.2).
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Seconds with three decimals, without an exponent, as XML's decimals have to be.
  static func seconds(_ duration: Duration) -> String {
    let milliseconds = max(0, Int64(duration.milliseconds.rounded()))
    let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
    return "\(milliseconds / 1_000).\(fraction)"
  }
}

extension AttachmentReport {
  /// The source as a report that others may read shows it: without user information, and without
  /// what an address asks for, which may be a token.
  var publicSource: String {
    guard case .remote(let address) = evidence.reference.location else { return source }
    let plain = address.withoutSecrets
    return address.contains("?") ? plain + "?..." : plain
  }
}
