import Glibc

/// The process environment, by name.
struct Environment: Sendable {
  /// A variable's value; nothing where it is not set.
  subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// What is said of variables that were probably meant to be options, and are none.
  ///
  /// Those that resemble no option are somebody else's.
  var hints: [String] {
    let options = OptionTable.all.filter { $0.reach != .commandLine }
    let known = Set(options.map(\.environmentName))
    let prefix = CommandOption.environmentPrefix
    return names.filter { $0.hasPrefix(prefix) && !known.contains($0) }.compactMap { name in
      let word = name.dropFirst(prefix.count).replacing("_", with: "-").lowercased()
      guard let meant = Suggestion.closest(to: word, among: options.map(\.name)),
        let option = options.first(where: { $0.name == meant })
      else { return nil }
      return "affix: the variable \(name) is not read; did you mean \(option.environmentName)?"
    }
  }

  /// The names as the process was started with them; none where the system does not tell.
  private var names: [String] {
    guard let bytes = try? SmallFile.read("/proc/self/environ") else { return [] }
    return bytes.split(separator: 0).compactMap { entry in
      entry.firstIndex(of: UInt8(ascii: "=")).map { String(decoding: entry[..<$0], as: UTF8.self) }
    }
  }
}
