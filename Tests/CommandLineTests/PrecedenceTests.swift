import Glibc
import Testing

/// Each place holds a value that its option refuses, unless a higher place overrules it.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PrecedenceTests {
  private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
    let file = try Spawn.temporaryFile(text)
    defer { close(file) }
    try body("/proc/\(getpid())/fd/\(file)")
  }

  @Test func `the environment is read where the command line is silent`() throws {
    let environment = ["AFFIX_STALL_TIMEOUT": "never"]
    let silent = try Spawn.run(["check", "-"], environment: environment)
    #expect(silent.ending == .exited(64))
    #expect(silent.errors.contains("AFFIX_STALL_TIMEOUT is 'never'"))
    let spoken = try Spawn.run(["check", "--stall-timeout", "5s", "-"], environment: environment)
    #expect(spoken.ending == .exited(0))
  }

  @Test func `what a higher place overrules is no conflict, and what it asks for in vain is`()
    throws
  {
    let words = ["check", "-", "--quick"]
    for lower in ["AFFIX_REPAIR": "true", "AFFIX_PREVIEW_SIZE": "64"] {
      let overruled = try Spawn.run(words, environment: [lower.key: lower.value])
      #expect(overruled.ending == .exited(0))
    }
    let vain = try Spawn.run(["check", "-", "--repair"], environment: ["AFFIX_QUICK": "1"])
    #expect(vain.ending == .exited(64))
    #expect(vain.errors.contains("--repair has no effect with AFFIX_QUICK"))
    let both = ["AFFIX_QUICK": "1", "AFFIX_REPAIR": "1"]
    #expect(try Spawn.run(["check", "-"], environment: both).ending == .exited(64))
    #expect(try Spawn.run(["check", "-", "--quick=no"], environment: both).ending == .exited(0))
    try withFile(#"{"no-preview": true, "cache-bytes": "1GB"}"#) { path in
      let file = ["check", "-", "--config", path]
      #expect(try Spawn.run(file).ending == .exited(0))
      let vain = try Spawn.run(file + ["--preview-size", "64"])
      #expect(vain.ending == .exited(64))
      #expect(vain.errors.contains("'no-preview' in the configuration file"))
    }
  }

  @Test func `the file is read where command line and environment are silent`() throws {
    try withFile(#"{"per-host": 0}"#) { path in
      let silent = try Spawn.run(["check", "--config", path, "-"])
      #expect(silent.ending == .exited(64))
      #expect(silent.errors.contains("'per-host' in the configuration file '\(path)' is '0'"))
      let flag = try Spawn.run(["check", "--config", path, "--per-host=3", "-"])
      #expect(flag.ending == .exited(0))
      let environment = ["AFFIX_PER_HOST": "3", "AFFIX_CONFIG": path]
      #expect(try Spawn.run(["check", "-"], environment: environment).ending == .exited(0))
    }
  }

  @Test(
    arguments: [
      ["AFFIX_JSON": "1"], ["AFFIX_POLICY": "push, apple"], ["AFFIX_PREVIEW_SIZE": "64,32x16"],
      ["AFFIX_HEADER": "A: b, c\nD: e"], ["AFFIX_BUDGET": ""], ["AFFIX_OUTPUT_": "?"],
    ]
  )
  func `the environment holds flags, lists, and nothing`(environment: [String: String]) throws {
    #expect(try Spawn.run(["check", "-"], environment: environment).ending == .exited(0))
  }

  @Test(
    arguments: [
      (["AFFIX_BUGDET": "5s"], "the variable AFFIX_BUGDET is not read; did you mean AFFIX_BUDGET?"),
      (["AFFIX_STALL_TIMOUT": "5s"], "did you mean AFFIX_STALL_TIMEOUT?"),
      (["AFFIX_CI_JOB_URL": "x"], ""),
      (["AFFIX_BUDGET": "5s"], ""),
    ]
  )
  func `a misspelt variable is told of`(environment: [String: String], words: String) throws {
    let outcome = try Spawn.run(["version"], environment: environment)
    #expect(outcome.ending == .exited(0))
    #expect(words.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(words))
  }

  @Test func `a flag of the environment can be taken back`() throws {
    let environment = ["AFFIX_JSON": "true"]
    #expect(try Spawn.run(["check", "-"], environment: environment).output.isEmpty)
    // The last one given counts.
    let arguments = ["check", "--json", "--json=no", "-"]
    let table = try Spawn.run(arguments, environment: environment)
    #expect(table.output.contains("VERDICT"))
  }

  @Test(
    arguments: [
      #"{"json": true, "budget": "5s", "per-host": 3, "header": ["A: b"], "policy": "apple"}"#,
      "{}",
    ]
  )
  func `a sound file is followed`(text: String) throws {
    try withFile(text) { path in
      let outcome = try Spawn.run(["check", "--config", path, "-"])
      #expect(outcome.ending == .exited(0))
    }
  }

  @Test(
    arguments: [
      (#"{"bugdet": "5s"}"#, "unknown key 'bugdet'; did you mean 'budget'?"),
      (#"{"config": "x"}"#, "unknown key 'config'"), (#"{"--json": true}"#, "unknown key '--json'"),
      (#"{"budget": ["5s", "6s"]}"#, "give a single value"), (#"{"budget": 5}"#, "is '5'"),
      (#"{"json": "perhaps"}"#, "true or false"), (#"{"json": null}"#, "no JSON object"),
      (#"{"budget": "5s", "json": true, "budget": "6s"}"#, "has the key 'budget' twice"),
      (#"{"budget": {"a": 1}}"#, "no JSON object"), ("[]", "no JSON object"),
      ("", "not JSON at line 1, column 1"),
      ("{\n  \"budget\": 5s\n}", "not JSON at line 2, column 14"),
      (String(repeating: " ", count: 1_000_001), "larger than 1 MB"),
    ]
  )
  func `a faulty file is refused with its fault`(text: String, words: String) throws {
    try withFile(text) { path in
      let outcome = try Spawn.run(["check", "--config", path, "-"])
      #expect(outcome.ending == .exited(64))
      #expect(outcome.errors.contains(words))
    }
  }

  @Test func `a missing file is refused`() throws {
    let outcome = try Spawn.run(["check", "--config", "/nonexistent.json", "-"])
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errors.contains("'/nonexistent.json' cannot be opened: No such file"))
  }
}
