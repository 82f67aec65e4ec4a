import Glibc

extension CommandRun {
  /// The path of the `affix` that was built together with the running tests.
  ///
  /// The program lies beside the test bundle, which is an argument of the process that runs it.
  ///
  /// - Throws: An error that names every place where it is not.
  public static var affix: String {
    get throws(OriginError) {
      try built("affix")
    }
  }

  /// The path of a program that was built together with the running tests.
  ///
  /// - Parameter name: Its name.
  /// - Returns: An absolute path.
  /// - Throws: An error that names every place where it is not.
  public static func built(_ name: String) throws(OriginError) -> String {
    let bundles = CommandLine.arguments.filter { $0.contains(".xctest") }
    var folders = bundles.map { path in
      path.split(separator: "/", omittingEmptySubsequences: false)
        .prefix { !$0.hasSuffix(".xctest") }.joined(separator: "/")
    }
    folders += ["debug", "release"].map { "\(Fixture.projectFolder)/.build/\($0)" }
    let candidates = folders.map { "\($0)/\(name)" }
    guard let path = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw OriginError(
        description: "no built \(name) at \(candidates.joined(separator: ", ")); run swift build"
      )
    }
    return path
  }
}
