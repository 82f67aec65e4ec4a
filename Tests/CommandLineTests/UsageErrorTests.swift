import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct UsageErrorTests {
  @Test(
    arguments: [
      (["chek", "x"], "'check'"), (["cehck"], "'check'"), (["prev"], "'preview'"),
      (["help", "lists"], "'list'"), (["list", "polices"], "'policies'"),
      (["check", "--jsn", "x"], "'--json'"),
      (["check", "--stall-timout", "5s"], "'--stall-timeout'"),
      (["check", "--concurency=4", "x"], "'--concurrency'"),
      (["check", "--allow-private", "x"], "'--allow-private-addresses'"),
      (["check", "--policy", "aple", "x"], "'apple'"),
    ]
  )
  func `a slip gets a suggestion`(arguments: [String], suggestion: String) throws {
    let outcome = try Spawn.run(arguments)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("did you mean \(suggestion)?"))
  }

  @Test(arguments: [["xyzzy"], ["check", "--xyzzy"], ["help", "xyzzy"]])
  func `what resembles nothing gets no suggestion`(arguments: [String]) throws {
    let outcome = try Spawn.run(arguments)
    #expect(outcome.ending == .exited(64))
    #expect(!outcome.errors.contains("did you mean"))
    #expect(outcome.errors.contains("xyzzy"))
  }

  @Test(
    arguments: [
      ("budget", "0s", "1ms to 1h"), ("budget", "61m", "1ms to 1h"), ("budget", "30", "1ms to 1h"),
      ("timeout", "soon", "500ms"), ("connect-timeout", "-1s", "1ms"), ("stall-timeout", "", "1ms"),
      ("first-byte-timeout", "2h", "1h"), ("max-redirects", "51", "0 to 50"),
      ("concurrency", "0", "1 to 4096"), ("per-host", "1.5", "whole number"),
      ("preview-bytes", "0", "1B to 50MB"), ("preview-bytes", "many", "300kB"),
      ("preview-size", "15", "16 to 16384"), ("preview-size", "1440x", "1440x720"),
      ("preview-size", "16385", "16384"), ("preview-size", "20x30x40", "1440x720"),
      ("crop", "center", "did you mean 'centre'"), ("crop", "", "none, centre, attention, entropy"),
      ("policy", "none", "push, apple"), ("allow-address", "10.0.0.0/33", "10.1.0.0/16"),
      ("ca-file", "/nonexistent.pem", "can be read"), ("ca-file", "/etc", "a PEM file"),
      ("ca-file", "/etc/passwd", "certificate"),
      ("output", "/dev/null", "a folder that you may write to (Not a directory)"),
      ("output", "/dev/null/a/b", "(Not a directory)"), ("output", "", "a folder"),
      ("cache", "/etc/passwd", "(Not a directory)"), ("cache", "/etc/passwd/a", "a folder"),
    ]
  )
  func `a bad value is named with its limit`(
    option: String,
    value: String,
    requirement: String
  ) throws {
    let outcome = try Spawn.run(["check", "-", "--\(option)", value])
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errors.contains("--\(option) is '\(value)'"))
    #expect(outcome.errors.contains(requirement))
    #expect(outcome.errors.contains("try 'affix check --help'"))
  }

  @Test(arguments: ["link", "link/", "link/a", "link//a/b/"])
  func `no folder is made where a link leads nowhere`(place: String) throws {
    let folder = try TemporaryFolder()
    try #require(symlink("nowhere", "\(folder.path)/link") == 0)
    for option in ["--output", "--cache"] {
      let outcome = try Spawn.run(["check", "-", option, "\(folder.path)/\(place)"])
      #expect(outcome.ending == .exited(64))
      #expect(outcome.errors.contains("may write to (No such file or directory)"))
    }
  }

  @Test(
    arguments: [
      (["serve", "--listen", "localhost:8470"], "numeric address"),
      (["serve", "--listen", "127.0.0.1:65536"], "numeric address"),
      (["health", "nowhere"], "'nowhere'"),
      (["health", "nowhere"], "http://127.0.0.1:8470/healthz"),
    ]
  )
  func `a service's address must be one`(arguments: [String], advice: String) throws {
    let outcome = try Spawn.run(arguments)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errors.contains(advice))
  }

  @Test(
    arguments: [
      "*", "https://a.example/page", "https://a.example/", "https://", "https://A.example",
      "https://a.example:443", "http://a.example:80", "https://me@a.example", "a.example",
    ]
  )
  func `an origin that no browser sends is refused`(origin: String) throws {
    let outcome = try Spawn.run(["serve", "--results", "/tmp", "--allow-origin", origin])
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errors.contains("the origin '\(origin)' must be a scheme and a host"))
    #expect(outcome.errors.contains("without a slash at the end"))
  }

  @Test(arguments: ["https://a.example", "http://localhost:3000", "http://[::1]:3000"])
  func `an origin that browsers send is taken`(origin: String) throws {
    let folder = NSTemporaryDirectory() + "affix-origin-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // No certificate: the service does not start, but its options were taken.
    let outcome = try Spawn.run(
      ["serve", "--results", folder, "--allow-origin", origin]
        + ["--tls-certificate", "/etc/passwd", "--tls-key", "/etc/passwd"]
    )
    #expect(outcome.ending == .exited(70))
    #expect(outcome.errors.contains("name such a pair with --tls-certificate and --tls-key"))
  }

  @Test(
    arguments: [
      ["check", "--budget", "1ms", "-"], ["check", "--budget", "1h", "-"],
      ["check", "--max-redirects", "0", "-"], ["check", "--preview-bytes", "1", "-"],
      ["check", "--preview-size", "16x16384", "-"],
      ["check", "--crop", "attention", "--preview-size", "64x32", "-"],
      ["check", "--crop=none", "-"],
      ["check", "--concurrency", "4096", "-"],
      ["check", "--json=false", "-"], ["check", "--", "-"], ["check", "-", "--quick"],
      [
        "check", "--header", "A: b", "--header=C:d", "--preview-size=64", "--preview-size=32x16",
        "-",
      ],
      ["check", "--policy", "push", "--policy", "apple", "--policy", "push", "-"],
      ["check", "--budget=2m", "--budget", "5s", "-"],
      ["check", "--quick", "--no-preview", "--sha256", "-"],
      ["check", "--no-preview", "--repair", "-"],
      ["check", "--quick", "--quick=false", "--repair", "-"],
      ["check", "--quick", "--repair=false", "-"],
    ]
  )
  func `values at the limits are taken`(arguments: [String]) throws {
    #expect(try Spawn.run(arguments).ending == .exited(0))
  }

  @Test(
    arguments: [
      (["check"], "no source"), (["check", "-", "-"], "twice"), (["check", "--budget"], "a value"),
      (["--json", "check"], "command comes first"), (["check", "-json", "x"], "two dashes"),
      (["check", "-o", "x", "y"], "it belongs to 'preview'"), (["check", "-q"], "no option '-q'"),
      (["list"], "policies, codes"), (["list", "codes", "policies"], "policies, codes"),
      (["list", "--ordered", "codes"], "'check'"), (["version", "x"], "no operands"),
      (["check", "--crop", "centre", "x"], "a size of 1440 has only a longer side"),
      (
        ["preview", "a", "-o", "x", "--crop=entropy", "--preview-size=99"],
        "--preview-size 1440x720"
      ),
      (["check", "--quick", "--repair", "x"], "--repair has no effect with --quick"),
      (["check", "--animated", "--quick", "x"], "--animated has no effect with --quick"),
      (
        ["check", "--quick", "--crop", "centre", "--preview-size", "99x99", "x"],
        "--crop has no effect with --quick, which decodes no pixels; leave one of them out"
      ),
      (["check", "--quick", "--preview-bytes=9kB", "x"], "--preview-bytes has no effect with"),
      (["check", "--preview-size", "64", "--no-preview", "x"], "has no effect with --no-preview"),
      (["check", "--animated", "--no-preview", "x"], "--animated has no effect with --no-preview"),
      (["serve", "--quick", "--animated"], "--animated has no effect with --quick"),
      (["check", "--cache-bytes", "1GB", "x"], "--cache-bytes needs a folder"),
      (["preview", "a.jpg"], "-o FILE"), (["preview", "-o", "x"], "exactly one"),
      (["preview", "a", "b", "-o", "x"], "exactly one"),
      (["preview", "a", "-o", "/nonexistent/x"], "No such file"),
      (["preview", "a", "-o", "/tmp"], "a folder"), (["photo.jpg"], "affix check SOURCE"),
    ]
  )
  func `a wrong command line says what to do`(arguments: [String], words: String) throws {
    let outcome = try Spawn.run(arguments)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(words))
  }

  @Test(
    arguments: [
      ["https://user:hunter2@example.com/a?token=hunter2"],
      ["list", "https://user:hunter2@example.com/a?token=hunter2"],
      ["check", "--budget", "https://user:hunter2@example.com/?hunter2", "x"],
      ["check", "--header", "hunter2", "x"], ["check", "--hedaer=hunter2", "x"],
      ["check", "-x=hunter2"], ["--x=hunter2"],
    ]
  )
  func `secrets are not repeated`(arguments: [String]) throws {
    let outcome = try Spawn.run(arguments)
    #expect(outcome.ending == .exited(64))
    #expect(!outcome.errors.contains("hunter2"))
  }

  @Test func `a long argument is cut where it is repeated`() throws {
    let value = String(repeating: "9", count: 5_000)
    let outcome = try Spawn.run(["check", "--budget", value, "-"])
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errors.contains("99...99"))
    #expect(outcome.errors.utf8.count < 400)
  }

  @Test func `a hostile argument cannot write to the terminal`() throws {
    let outcome = try Spawn.run(["list", "\u{1B}[2J\u{202E}"])
    #expect(outcome.errors.contains("\\u{1B}[2J\\u{202E}"))
    #expect(!outcome.errors.contains("\u{1B}"))
  }
}
