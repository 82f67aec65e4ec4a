/// A Swift source file, as far as the rules look at it.
struct SourceFile: Sendable {
  /// The path from the project's top folder.
  let path: String
  let text: String

  var lines: [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The target it belongs to: the folder below `Sources`.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  var name: Substring {
    path.split(separator: "/").last ?? ""
  }

  /// The modules it imports, whatever the access level.
  var imports: [String] {
    lines.compactMap { line in
      var words = line.split(separator: " ")
      while let first = words.first, Self.importPrefixes.contains(String(first)) {
        words.removeFirst()
      }
      guard words.count >= 2, words[0] == "import" else { return nil }
      let module =
        words.count > 2 && Self.importKinds.contains(String(words[1])) ? words[2] : words[1]
      return String(module.prefix { $0 != "." && $0 != ";" })
    }
  }

  private static let importPrefixes: Set = [
    "public", "package", "internal", "fileprivate", "private", "@preconcurrency", "@_exported",
    "@testable", "@_implementationOnly",
  ]
  private static let importKinds: Set = [
    "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
  ]
}

/// The arrows between the rooms, and what no room may contain.
enum HouseRules {
  /// What each Swift target may import of the project's own.
  static let arrows: [String: Set<String>] = {
    let layer1: Set = ["AttachmentModel", "TimeBudgets", "Threading", "Cryptography"]
    let stages: Set = ["Downloading", "MediaSniffing", "PolicyChecking", "PreviewRendering"]
    return [
      "AttachmentModel": [],
      "TimeBudgets": [],
      "Threading": [],
      "Cryptography": ["CCrypto"],
      "ContentStore": ["Cryptography", "CSQLite"],
      "Observability": [],
      "Downloading": [
        "AttachmentModel", "TimeBudgets", "Threading", "Cryptography", "ContentStore", "CCurl",
      ],
      "MediaSniffing": ["AttachmentModel", "CMagic"],
      "PolicyChecking": ["AttachmentModel"],
      "PreviewRendering": ["AttachmentModel", "TimeBudgets", "CVips"],
      "DecoderSandbox": [
        "AttachmentModel", "TimeBudgets", "Threading", "MediaSniffing", "PreviewRendering",
        "CSeccomp",
      ],
      "Pipeline": layer1.union(stages).union(["DecoderSandbox"]),
      "Reporting": layer1.union(stages).union(["DecoderSandbox", "Pipeline"]),
      "HTTPService": layer1.union([
        "ContentStore", "Observability", "Downloading", "PolicyChecking", "DecoderSandbox",
        "Pipeline", "Reporting", "CMicroHTTPD",
      ]),
      "affix": layer1.union(stages).union([
        "Observability", "DecoderSandbox", "Pipeline", "Reporting", "HTTPService",
      ]),
    ]
  }()

  /// What comes with the toolchain and may be imported anywhere.
  static let system: Set = [
    "Glibc", "Synchronization", "Dispatch", "FoundationEssentials", "Swift",
  ]

  /// At most this many files may touch one C library.
  static let filesPerCLibrary = 3
  static let longestFile = 600

  private static let bannedNames: Set = [
    "Utils", "Common", "Helpers", "Shared", "Misc", "Extensions", "Base", "Core",
  ]
  private static let bannedEndings = ["Manager", "Helper", "Processor", "Context", "Handler"]
  /// Apple's own word, which the simulator of its API will need.
  private static let allowedNames: Set = ["contentHandler", "ContentHandler"]
  private static let bannedWords = ["@_exported", "@testable", "static let shared", "static var "]
  private static let explained = [
    "@unchecked Sendable", "nonisolated(unsafe)", "Unsafe", "unsafe", "Unmanaged",
  ]

  /// Everything that breaks a rule, one line each; empty where the house is in order.
  static func violations(in files: [SourceFile]) -> [String] {
    files.flatMap { file in
      forbiddenImports(file) + bannedNames(file) + lengths(file) + bannedWords(file)
        + unexplained(file)
    } + crowdedLibraries(files)
  }

  private static func forbiddenImports(_ file: SourceFile) -> [String] {
    guard let allowed = arrows[file.target] else {
      return ["\(file.path): the target \(file.target) is not in the table of arrows"]
    }
    return file.imports.filter { !allowed.contains($0) && !system.contains($0) }
      .map { "\(file.path): \(file.target) may not import \($0)" }
  }

  private static func crowdedLibraries(_ files: [SourceFile]) -> [String] {
    let libraries = Set(arrows.values.joined()).filter { arrows[$0] == nil }
    return libraries.sorted().compactMap { library in
      let importers = files.filter { $0.imports.contains(library) }
      return importers.count > filesPerCLibrary
        ? "\(library) is imported by \(importers.count) files; at most \(filesPerCLibrary) may"
        : nil
    }
  }

  private static func bannedNames(_ file: SourceFile) -> [String] {
    var found: [String] = []
    for part in file.path.split(separator: "/") {
      let stem = part.prefix { $0 != "." && $0 != "+" }
      if isBanned(stem) { found.append("\(file.path): the name \(stem) is banned") }
    }
    for line in file.lines {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      guard let keyword = words.firstIndex(where: declaring.contains), keyword + 1 < words.count,
        !line.contains("//"), isBanned(words[keyword + 1])
      else { continue }
      found.append("\(file.path): the name \(words[keyword + 1]) is banned")
    }
    return found
  }

  private static let declaring: Set<Substring> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  private static func isBanned(_ name: Substring) -> Bool {
    if allowedNames.contains(String(name)) { return false }
    return bannedNames.contains(String(name)) || bannedEndings.contains { name.hasSuffix($0) }
  }

  private static func lengths(_ file: SourceFile) -> [String] {
    let count = file.lines.count
    return count > longestFile
      ? ["\(file.path): \(count) lines; a file has at most \(longestFile)"] : []
  }

  private static func bannedWords(_ file: SourceFile) -> [String] {
    bannedWords.filter { word in
      file.lines.contains { line in
        guard let place = line.firstRange(of: word) else { return false }
        // A computed static property is no mutable global.
        let isComputed = word == "static var " && line.contains("{") && !line.contains("=")
        return !isComputed && !line[..<place.lowerBound].contains("//")
      }
    }
    .map { "\(file.path): \($0.trimmingSpaces) is banned" }
  }

  /// Unsafe code names its invariant, in the function it is in or at its declaration.
  private static func unexplained(_ file: SourceFile) -> [String] {
    var found: [String] = []
    var explainedUntil = -1
    for (number, line) in file.lines.enumerated() {
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      if line.contains("Invariant:") { explainedUntil = number + reach }
      guard number > explainedUntil, explained.contains(where: { code.contains($0) }) else {
        continue
      }
      let isExplainedBelow = file.lines.dropFirst(number + 1).prefix(reachUp)
        .contains { $0.contains("Invariant:") }
      if !isExplainedBelow {
        found.append("\(file.path):\(number + 1): unsafe code without a comment on its invariant")
      }
    }
    return found
  }

  /// A comment covers the lines after it, as far as a function is long.
  private static let reach = 30
  /// In a function's head the comment may stand a few lines below.
  private static let reachUp = 10
}

extension String {
  fileprivate var trimmingSpaces: String {
    split(separator: " ").joined(separator: " ")
  }
}
