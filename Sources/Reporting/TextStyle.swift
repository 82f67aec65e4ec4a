/// How text may look where it goes.
public struct TextStyle: Sendable, Hashable {
  /// A way to make text stand out (ECMA-48, Select Graphic Rendition).
  public enum Colour: Int, Sendable {
    /// Less bright than the rest.
    case dim = 2
    /// For what is bad.
    case red = 31
    /// For what is good.
    case green = 32
    /// For what is neither.
    case yellow = 33
  }

  /// Columns that a line has; absent where there is no limit.
  public let width: Int?
  /// Whether colours are welcome.
  public let hasColours: Bool

  /// A style; default: no colours, and lines of any length.
  public init(width: Int? = nil, hasColours: Bool = false) {
    self.width = width
    self.hasColours = hasColours
  }

  /// The text in a colour, where colours are welcome.
  public func paint(_ text: String, _ colour: Colour) -> String {
    hasColours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
