import AttachmentModel
import TimeBudgets

extension CommandOption {
  /// Where an option's value lives in the settings.
  typealias Place<Value> = WritableKeyPath<Settings, Value> & Sendable

  /// An option that is on or off.
  static func flag(
    _ name: String,
    _ place: any Place<Bool>,
    _ help: String,
    for commands: Set<Command>
  ) -> CommandOption {
    each(name, .flag, help: help, for: commands) { (value, settings) throws(InvalidValue) in
      guard let isOn = readFlag(value) else {
        throw InvalidValue(requirement: "must be true or false", value: value)
      }
      settings[keyPath: place] = isOn
    }
  }

  /// Whether these values turn a flag off.
  func isOff(_ values: [String]) -> Bool {
    kind == .flag && values.last.flatMap(Self.readFlag) == false
  }

  /// A length of time; its default is what fresh settings hold.
  static func duration(
    _ name: String,
    _ place: any Place<Duration>,
    upTo longest: Duration = .seconds(3_600),
    _ help: String,
    for commands: Set<Command>
  ) -> CommandOption {
    let usual = Settings()[keyPath: place].asWritten
    return each(name, .duration, "TIME", default: usual, help: help, for: commands) {
      (value, settings) throws(InvalidValue) in
      settings[keyPath: place] = try readDuration(value, upTo: longest)
    }
  }

  /// A length of time that need not be given.
  static func optionalDuration(
    _ name: String,
    _ place: any Place<Duration?>,
    upTo longest: Duration = .seconds(3_600),
    _ help: String,
    for commands: Set<Command>
  ) -> CommandOption {
    each(name, .duration, "TIME", help: help, for: commands) {
      (value, settings) throws(InvalidValue) in
      settings[keyPath: place] = try readDuration(value, upTo: longest)
    }
  }

  /// A number of bytes; its default is what fresh settings hold.
  static func size(
    _ name: String,
    _ place: any Place<ByteCount>,
    within limits: ClosedRange<ByteCount>,
    _ help: String,
    for commands: Set<Command>
  ) -> CommandOption {
    let usual = Settings()[keyPath: place].asWritten
    return each(name, .size, "SIZE", default: usual, help: help, for: commands) {
      (value, settings) throws(InvalidValue) in
      settings[keyPath: place] = try readSize(value, within: limits)
    }
  }

  /// A number of bytes that need not be given.
  static func optionalSize(
    _ name: String,
    _ place: any Place<ByteCount?>,
    within limits: ClosedRange<ByteCount> = ByteCount(1)...ByteCount.megabytes(1_000_000_000),
    default usual: ByteCount? = nil,
    _ help: String,
    for commands: Set<Command>
  ) -> CommandOption {
    each(name, .size, "SIZE", default: usual?.asWritten, help: help, for: commands) {
      (value, settings) throws(InvalidValue) in
      settings[keyPath: place] = try readSize(value, within: limits)
    }
  }

  /// A whole number; its default is what fresh settings hold.
  static func count(
    _ name: String,
    _ place: any Place<Int>,
    within limits: ClosedRange<Int>,
    _ help: String,
    for commands: Set<Command>
  ) -> CommandOption {
    let usual = String(Settings()[keyPath: place])
    return each(name, .count, "N", default: usual, help: help, for: commands) {
      (value, settings) throws(InvalidValue) in
      guard let count = Int(value), limits.contains(count) else {
        throw InvalidValue(
          requirement: "must be a whole number from \(limits.lowerBound) to \(limits.upperBound)",
          value: value
        )
      }
      settings[keyPath: place] = count
    }
  }

  /// A file that is read by the program itself.
  static func file(
    _ name: String,
    _ help: String,
    for commands: Set<Command>,
    _ read: @escaping @Sendable (String, inout Settings) throws(InvalidValue) -> Void
  ) -> CommandOption {
    each(name, .file, "FILE", help: help, for: commands, read)
  }

  /// A folder to write to, which is made where it is missing.
  static func folder(
    _ name: String,
    _ help: String,
    for commands: Set<Command>,
    _ take: @escaping @Sendable (String, inout Settings) -> Void
  ) -> CommandOption {
    each(name, .file, "DIR", help: help, for: commands) {
      (path, settings) throws(InvalidValue) in
      if let problem = WritableFolder.problem(of: path) {
        throw InvalidValue(
          requirement: "must name a folder that you may write to (\(problem))",
          value: path
        )
      }
      take(path, &settings)
    }
  }

  /// An option each of whose values is taken in the same way; the last one counts.
  private static func each(
    _ name: String,
    _ kind: Kind,
    _ placeholder: String = "",
    default usual: String? = nil,
    help: String,
    for commands: Set<Command>,
    _ take: @escaping @Sendable (String, inout Settings) throws(InvalidValue) -> Void
  ) -> CommandOption {
    CommandOption(
      name: name,
      kind: kind,
      placeholder: placeholder,
      defaultText: usual,
      help: help,
      commands: commands
    ) { (values, settings) throws(InvalidValue) in
      for value in values { try take(value, &settings) }
    }
  }

  private static func readFlag(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "true", "1", "yes", "on": true
    case "false", "0", "no", "off": false
    default: nil
    }
  }

  private static func readSize(
    _ value: String,
    within limits: ClosedRange<ByteCount>
  ) throws(InvalidValue) -> ByteCount {
    guard let size = ByteCount(value), limits.contains(size) else {
      throw InvalidValue(
        requirement: "must be \(limits.lowerBound.asWritten) to \(limits.upperBound.asWritten),"
          + " written like 300kB, 300KiB or 1.5MB",
        value: value
      )
    }
    return size
  }

  private static func readDuration(
    _ value: String,
    upTo longest: Duration = .seconds(3_600)
  ) throws(InvalidValue) -> Duration {
    guard let duration = Duration(value), duration >= .milliseconds(1), duration <= longest else {
      throw InvalidValue(
        requirement: "must be 1ms to \(longest.components.seconds / 3_600)h, "
          + "written like 500ms, 30s or 2m",
        value: value
      )
    }
    return duration
  }
}

extension Duration {
  /// The time as a user would write it: `30s`, `500ms`.
  fileprivate var asWritten: String {
    exactly.replacing(" ", with: "")
  }
}

extension ByteCount {
  /// The size as a user would write it: `300kB`.
  fileprivate var asWritten: String {
    String(rounded.filter { $0 != " " })
  }
}
