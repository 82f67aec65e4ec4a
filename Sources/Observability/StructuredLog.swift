import Glibc
import Synchronization

/// Writes one JSON object a line, for programs that collect logs.
///
/// A line is one `write`, so lines of several threads never mix. A reader that is gone or too slow
/// loses lines; nobody waits for it.
public final class StructuredLog: Sendable {
  /// How much a line matters.
  public enum Level: String, Sendable, Comparable, CaseIterable {
    /// What only a developer wants to know.
    case debug
    /// What happens every day.
    case info
    /// What somebody should look at.
    case warning
    /// What went wrong.
    case error

    /// Orders by weight.
    public static func < (left: Level, right: Level) -> Bool {
      order(left) < order(right)
    }

    private static func order(_ level: Level) -> Int {
      allCases.firstIndex(of: level) ?? 0
    }
  }

  /// A field's value.
  public enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// Text, cut to 1,000 bytes.
    case text(String)
    /// A whole number.
    case number(Int64)
    /// Milliseconds with three decimals.
    case milliseconds(Duration)

    /// Text.
    public init(stringLiteral value: String) {
      self = .text(value)
    }

    /// A whole number.
    public init(integerLiteral value: Int64) {
      self = .number(value)
    }
  }

  private let descriptor: CInt
  private let least: Level
  private let lost = Atomic(0)

  /// A log on an open descriptor, which the caller keeps open.
  ///
  /// - Parameters:
  ///   - descriptor: Where lines go; default: standard error.
  ///   - least: Lines that matter less are not written; default: `info`.
  public init(descriptor: CInt = 2, least: Level = .info) {
    self.descriptor = descriptor
    self.least = least
  }

  /// Lines that could not be written.
  public var lostLines: Int {
    lost.load(ordering: .relaxed)
  }

  /// Writes a line.
  ///
  /// - Parameters:
  ///   - level: How much it matters.
  ///   - event: What happened: a few words that are always the same.
  ///   - fields: What is known about it; never secrets, and addresses without their queries.
  public func write(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, Value> = [:]) {
    guard level >= least else { return }
    var line: [UInt8] = []
    line.reserveCapacity(256)
    line += "{\"time\":\"\(Self.timestamp())\",\"level\":\"\(level.rawValue)\",\"event\":".utf8
    Self.append(event, to: &line)
    for (name, value) in fields {
      line += ",".utf8
      Self.append(name, to: &line)
      line += ":".utf8
      switch value {
      case .text(let text): Self.append(text, to: &line)
      case .number(let number): line += String(number).utf8
      case .milliseconds(let time):
        let microseconds = Int64(time / .microseconds(1))
        line += "\(Double(microseconds) / 1_000)".utf8
      }
    }
    line += "}\n".utf8
    // A pipe whose reader sleeps must not hold up those who have work to do: standard error is
    // asked first whether it takes a line.
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&state, 1, 0) == 1, Glibc.write(descriptor, line, line.count) == line.count else {
      lost.wrappingAdd(1, ordering: .relaxed)
      return
    }
  }

  private static func timestamp() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    gmtime_r(&now.tv_sec, &parts)
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date =
      "\(Int(parts.tm_year) + 1_900)-\(padded(Int(parts.tm_mon) + 1))-\(padded(Int(parts.tm_mday)))"
    let time =
      "\(padded(Int(parts.tm_hour))):\(padded(Int(parts.tm_min))):\(padded(Int(parts.tm_sec)))"
    return "\(date)T\(time).\(padded(Int(now.tv_nsec) / 1_000_000, 3))Z"
  }

  /// A JSON string (RFC 8259, section 7), cut where it is too long for a log.
  private static func append(_ text: String, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\""))
    let isLong = text.utf8.count > 1_000
    for byte in (isLong ? String(text.prefix(250)) + "..." : text).utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
      case 0..<0x20, 0x7F:
        let digits = Array("0123456789abcdef".utf8)
        line += "\\u00".utf8
        line += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: line.append(byte)
      }
    }
    line.append(UInt8(ascii: "\""))
  }
}
