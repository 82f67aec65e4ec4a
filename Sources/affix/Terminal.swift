import Glibc
import Reporting

/// What can be done where output goes.
struct Terminal: Sendable, Hashable {
  /// Columns, and whether colours are welcome: on a terminal, and without NO_COLOR (no-color.org:
  /// set and not empty).
  let style: TextStyle
  /// Whether lines can be redrawn.
  let canRedraw: Bool

  /// Columns of the terminal; absent where there is none.
  var width: Int? {
    style.width
  }

  /// Looks at a descriptor and the environment.
  init(_ descriptor: CInt, _ environment: Environment) {
    guard isatty(descriptor) == 1 else {
      (style, canRedraw) = (TextStyle(), false)
      return
    }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    canRedraw = environment["TERM"] != "dumb"
    style = TextStyle(
      width: isKnown ? Int(size.ws_col) : 80,
      hasColours: canRedraw && (environment["NO_COLOR"] ?? "").isEmpty
    )
  }
}
