import Foundation
import TestSupport
import Testing

/// libvips and what it brings along are loaded by whoever decodes pixels, and by nobody else.
@Suite(.timeLimit(.minutes(1)))
struct LibraryLoadingTests {
  private static let photo = Fixture("jpeg/valid/photo-1600x1200.jpg").path

  @Test(arguments: [
    ["--version"],
    ["list", "codes"],
    ["check", "--quick", photo],
    // Its children decode; they do not inherit the request for a log.
    ["check", photo],
  ])
  func `a process that decodes no pixels does not load libvips`(arguments: [String]) async throws {
    let (run, libraries) = try await Self.libraries(loadedBy: arguments)
    #expect(run.ending == .exited(0), "\(run)")
    #expect(libraries.contains("libcurl.so"))
    #expect(!libraries.contains("libvips.so"))
    #expect(!libraries.contains("libjpeg.so"))
  }

  @Test func `a process that decodes pixels loads libvips`() async throws {
    let arguments = ["check", "--no-sandbox", Self.photo]
    let (run, libraries) = try await Self.libraries(loadedBy: arguments)
    #expect(run.ending == .exited(0), "\(run)")
    #expect(libraries.contains("libvips.so"))
  }

  @Test(arguments: UselessLibrary.allCases)
  func `a libvips that is of no use ends what would decode`(
    library: UselessLibrary
  ) async throws {
    let commands = [
      ["check", "--json", "--no-sandbox", Self.photo],
      ["check", "--json", Self.photo, Self.photo],
      ["preview", Self.photo, "-o", "-"],
      ["serve", "--listen", "127.0.0.1:0", "--results", "/tmp"],
    ]
    for command in commands { try await Self.expectFault(of: command, with: library) }
  }

  private static func expectFault(
    of command: [String],
    with library: UselessLibrary
  ) async throws {
    let run = try await Self.run(command, with: library)
    #expect(run.ending == .exited(70), "\(run)")
    #expect(run.output == "")
    #expect(run.errorOutput.contains("library-unavailable: "), "\(run)")
    #expect(run.errorOutput.contains("libvips cannot be loaded"), "\(run)")
    #expect(run.errorOutput.contains(library.fault), "\(run)")
    #expect(run.errorOutput.contains("install the Debian package libvips42"), "\(run)")
  }

  @Test(arguments: [["--version"], ["check", "--quick", photo]])
  func `where no pixels are decoded libvips may be missing`(arguments: [String]) async throws {
    let run = try await Self.run(arguments, with: .damaged)
    #expect(run.ending == .exited(0), "\(run)")
  }

  /// A file by the name of libvips, for which the loader gives up before it finds the real one.
  enum UselessLibrary: CaseIterable {
    /// No library at all.
    case damaged
    /// A library without any function of libvips.
    case foreign

    /// What the loader says of it.
    var fault: String {
      switch self {
      case .damaged: "invalid ELF header"
      case .foreign: "undefined symbol"
      }
    }

    var bytes: [UInt8] {
      get throws {
        switch self {
        case .damaged: Array(repeating: UInt8(ascii: "\n"), count: 4_096)
        case .foreign: Array(try Data(contentsOf: URL(filePath: Self.mathematics)))
        }
      }
    }

    /// The path of a library that every system has: that of sines and roots.
    private static var mathematics: String {
      get throws {
        let paths = ["x86_64", "aarch64"].map { "/lib/\($0)-linux-gnu/libm.so.6" }
        return try #require(paths.first(where: FileManager.default.fileExists))
      }
    }
  }

  private static func run(
    _ arguments: [String],
    with library: UselessLibrary
  ) async throws -> CommandRun {
    let folder = try TemporaryFolder()
    try folder.write(try library.bytes, to: "libvips.so.42")
    var environment = CommandRun.plainEnvironment
    environment["LD_LIBRARY_PATH"] = folder.path
    return try await CommandRun.of(CommandRun.affix, arguments, environment: environment)
  }

  /// Has the loader log which files it opens (ld.so(8), LD_DEBUG).
  private static func libraries(
    loadedBy arguments: [String]
  ) async throws -> (run: CommandRun, log: String) {
    let folder = try TemporaryFolder()
    var environment = CommandRun.plainEnvironment
    environment["LD_DEBUG"] = "files"
    environment["LD_DEBUG_OUTPUT"] = folder.path(of: "log")
    let run = try await CommandRun.of(CommandRun.affix, arguments, environment: environment)
    let logs = folder.contents.compactMap(folder.read)
    return (run, String(decoding: logs.joined(), as: UTF8.self))
  }
}
