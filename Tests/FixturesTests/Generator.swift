import Foundation

/// One run of `fixtures/generate`.
struct Generator {
  let status: Int32
  let errors: String

  /// Runs the script and waits for its end without holding a thread.
  ///
  /// - Parameters:
  ///   - folder: What stands for `fixtures/`; it is made if it is not there.
  ///   - searchPath: Where the script looks for tools; default: where this process does.
  /// - Returns: How the run ended.
  /// - Throws: What kept the script from being started.
  static func run(into folder: URL, searchPath: String? = nil) async throws -> Generator {
    let process = Process()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = [
      FixtureFolder.committed.url.appendingPathComponent("generate").path, folder.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    if let searchPath {
      process.environment = ["PATH": searchPath]
    }
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in ended.resume() }
      do {
        try process.run()
      } catch {
        process.terminationHandler = nil
        ended.resume(throwing: error)
      }
    }
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return Generator(status: process.terminationStatus, errors: text)
  }
}
