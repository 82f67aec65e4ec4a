import Glibc

/// What can be done where output goes.
struct Terminal: Sendable, Hashable {
  /// A way to make text stand out (ECMA-48, Select Graphic Rendition).
  enum Colour: Int, Sendable {
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
  }

  /// Columns of the terminal; absent where there is none.
  let width: Int?
  /// Whether colours are welcome: on a terminal, and without NO_COLOR (no-color.org: set and not
  /// empty).
  let hasColours: Bool
  /// Whether lines can be redrawn.
  let canRedraw: Bool

  /// Looks at a descriptor and the environment.
  init(_ descriptor: CInt, _ environment: Environment) {
    guard isatty(descriptor) == 1 else {
      (width, hasColours, canRedraw) = (nil, false, false)
      return
    }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = isKnown ? Int(size.ws_col) : 80
    canRedraw = environment["TERM"] != "dumb"
    hasColours = canRedraw && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// The text in a colour, where colours are welcome.
  func paint(_ text: String, _ colour: Colour) -> String {
    hasColours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
