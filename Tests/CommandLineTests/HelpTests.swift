import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct HelpTests {
  private static let commands = [
    "check", "preview", "serve", "health", "list", "version", "help",
  ]

  @Test func `without a command the usage goes to standard error`() throws {
    let outcome = try Spawn.run([])
    #expect(outcome.ending == .exited(64))
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("affix check [options] SOURCE..."))
  }

  @Test(arguments: [["help"], ["--help"], ["-h"]])
  func `the overview names every command`(arguments: [String]) throws {
    let outcome = try Spawn.run(arguments)
    #expect(outcome.ending == .exited(0))
    #expect(outcome.errors.isEmpty)
    for command in Self.commands { #expect(outcome.output.contains("\n  \(command) ")) }
  }

  @Test(arguments: commands)
  func `help is the same in each spelling`(command: String) throws {
    let help = try Spawn.run(["help", command])
    #expect(help.ending == .exited(0))
    #expect(help.output.hasPrefix("Usage: affix \(command)"))
    for spelling in [[command, "--help"], [command, "-h"], [command, "x", "--help", "y"]] {
      #expect(try Spawn.run(spelling).output == help.output)
    }
  }

  private static let checkOptions = [
    "--json", "--ordered", "--policy NAME", "--budget TIME", "--timeout TIME",
    "--connect-timeout TIME", "--first-byte-timeout TIME", "--stall-timeout TIME",
    "--total-budget TIME", "--total-bytes SIZE", "--quota SIZE", "--retries N", "--deadline-aware",
    "--cache DIR", "--cache-bytes SIZE",
    "--max-redirects N", "--concurrency N", "--per-host N", "--output DIR", "--sha256", "--quick",
    "--no-sandbox",
    "--report FORMAT", "--report-file FILE", "--allow-port N", "--no-preview",
    "--preview-bytes SIZE", "--preview-size PIXELS", "--crop HOW", "--animated", "--repair",
    "--allow-private-addresses",
    "--allow-address CIDR", "--header NAME:VALUE", "--user-agent TEXT", "--ca-file FILE",
    "--config FILE", "-h, --help",
  ]

  @Test func `check explains each of its options`() throws {
    let lines = try Spawn.run(["check", "--help"]).lines
    let explained = lines.filter { $0.hasPrefix("  -") }
    let missing = Self.checkOptions.filter { option in
      !explained.contains { $0.hasPrefix("  \(option)") }
    }
    #expect(missing == [])
    #expect(explained.count == Self.checkOptions.count)
  }

  private static let defaults = [
    ("budget", "30s"), ("connect-timeout", "5s"), ("first-byte-timeout", "10s"),
    ("stall-timeout", "5s"), ("max-redirects", "10"), ("concurrency", "32"), ("per-host", "6"),
    ("policy", "push"), ("preview-bytes", "300kB"), ("preview-size", "1440"),
    ("crop", "none"),
  ]

  @Test func `help tells the defaults`() throws {
    let help = try Spawn.run(["check", "--help"]).output
    let untold = Self.defaults.filter { option, value in
      guard let entry = help.firstRange(of: "  --\(option) ") else { return true }
      let text = help[entry.upperBound...]
      let end = text.firstRange(of: "\n  -")?.lowerBound ?? text.endIndex
      return !text[..<end].contains("[default: \(value)]")
    }
    #expect(untold.map(\.0) == [])
  }

  @Test(arguments: ["check", "preview", "list"])
  func `help explains the placeholders and places that it names`(command: String) throws {
    let help = try Spawn.run([command, "--help"]).output
    #expect(help.contains(" TIME ") == help.contains("TIME is written"))
    #expect(help.contains("--config FILE") == help.contains("the file of --config"))
  }

  @Test(arguments: ["check", "preview", "serve"])
  func `help tells which folders are made`(command: String) throws {
    let words = try Spawn.run([command, "--help"]).output.split { $0.isWhitespace }
    #expect(words.joined(separator: " ").contains("is made where it is missing, with all above it"))
  }

  @Test func `help tells how to use the manual page and the completion`() throws {
    let words = try Spawn.run(["help", "help"]).output.split { $0.isWhitespace }
    let text = words.joined(separator: " ")
    #expect(text.contains("'affix help manual | man -l -'"))
    #expect(text.contains("'source <(affix help completion)'"))
  }

  @Test(arguments: ["check", "preview", "serve", "list"])
  func `help tells what an option given twice means`(command: String) throws {
    let words = try Spawn.run([command, "--help"]).output.split { $0.isWhitespace }
    let rule = "Of an option given twice the last one counts, unless it is repeatable."
    #expect(words.joined(separator: " ").contains(rule))
  }

  @Test(arguments: ["check", "preview", "serve"])
  func `help tells what is retried`(command: String) throws {
    let words = try Spawn.run([command, "--help"]).output.split { $0.isWhitespace }
    let rule = "status 408, 425, 429, 500, 502, 503 or 504; other time-outs are final"
    #expect(words.joined(separator: " ").contains(rule))
  }

  @Test func `help tells what an empty list means`() throws {
    let words = try Spawn.run(["check", "--help"]).output.split { $0.isWhitespace }
    #expect(
      words.joined(separator: " ").contains("0 every source is deliverable, or there is none")
    )
  }

  @Test func `no line of help is wider than 80 columns`() throws {
    for command in Self.commands {
      #expect(try Spawn.run(["help", command]).lines.allSatisfy { $0.count <= 80 })
    }
  }

  @Test func `the manual page and the completion name every command and option`() throws {
    let manual = try Spawn.run(["help", "manual"])
    let completion = try Spawn.run(["help", "completion"])
    #expect(manual.output.hasPrefix(".TH AFFIX 1"))
    for command in Self.commands {
      #expect(manual.output.contains("\n.SS \(command)\n"))
      #expect(completion.output.contains("    \(command))\n      options='--"))
    }
    let options = Self.checkOptions.compactMap { $0.split(separator: " ").first }
      .filter { $0.hasPrefix("--") }
    #expect(options.allSatisfy { completion.output.contains($0) })
    let escaped = options.map { $0.replacing("-", with: "\\-") }
    #expect(escaped.allSatisfy { manual.output.contains($0) })
  }

  @Test func `the manual page has no blank line, which is a paragraph to nobody`() throws {
    #expect(!(try Spawn.run(["help", "manual"])).output.contains("\n\n"))
  }

  /// What bash offers for the last word.
  private func offers(_ words: [String]) throws -> Set<String> {
    let script = try Spawn.run(["help", "completion"]).output
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try Spawn.run(
      [
        "-c",
        script + "\nCOMP_WORDS=(affix \(quoted)); COMP_CWORD=\(words.count); cd /; _affix\n"
          + "printf '%s\\n' \"${COMPREPLY[@]}\"",
      ],
      program: "/bin/bash"
    )
    #expect(outcome.errors.isEmpty)
    return Set(outcome.lines.map(String.init))
  }

  @Test(
    arguments: [
      (["check", "--report", ""], ["junit", "sarif", "html"]),
      (["check", "--report", "j"], ["junit"]),
      (["check", "--report", "=", "s"], ["sarif"]),
      (["check", "--report", "="], ["junit", "sarif", "html"]),
      (["preview", "--crop", ""], ["none", "centre", "attention", "entropy"]),
      (["serve", "--log-level", "w"], ["warning"]),
      (["list", "policies", "--show", "app"], ["apple"]),
      (["check", "--policy", "windows"], ["windows-toast"]),
      (["list", ""], ["policies", "codes", "options"]),
      (["help", "co"], ["completion"]), (["help", "ch"], ["check"]),
      (["check", "--budget", ""], []), (["version", ""], []), (["health", ""], []),
      (["check", "--sha"], ["--sha256"]), (["list", "-"], ["--json", "--show", "--help"]),
    ] as [([String], Set<String>)]
  )
  func `the completion offers what can stand there`(words: [String], offered: Set<String>) throws {
    #expect(try offers(words) == offered)
  }

  @Test(
    arguments: [
      (["check", "--output", "et"], "etc"), (["check", "--policy", "et"], "etc"),
      (["check", "et"], "etc"), (["check", "--json", "et"], "etc"),
      (["preview", "-o", "et"], "etc"), (["check", "--policy", "="], "push"),
    ]
  )
  func `the completion offers files where one can stand`(words: [String], name: String) throws {
    #expect(try offers(words).contains(name))
  }

  @Test(arguments: [["version"], ["--version"]])
  func `the version is one line with the program's name`(arguments: [String]) throws {
    let outcome = try Spawn.run(arguments)
    #expect(outcome.ending == .exited(0))
    #expect(outcome.lines.count == 1)
    #expect(outcome.output.hasPrefix("affix "))
  }
}
