import HTTPService

extension Settings {
  /// How the service is to be run.
  ///
  /// - Parameter environment: Where the folder for state is looked up.
  /// - Returns: What `HTTPService` takes.
  /// - Throws: Where the folder for results is not known, or half a certificate is given.
  func serviceConfiguration(
    _ environment: Environment
  ) throws(UsageError) -> HTTPService.Configuration {
    var configuration = service
    configuration.address = listening.address
    configuration.port = listening.port
    configuration.policies = policies
    configuration.keepsContent = !keepsNoContent
    switch (certificateChain, certificateKey) {
    case (nil, nil): break
    case (let chain?, let key?): configuration.certificate = (chain, key)
    default:
      throw UsageError(
        "--tls-certificate and --tls-key belong together; only one is given",
        command: .serve
      )
    }
    if configuration.resultsFolder.isEmpty {
      guard let folder = Self.stateFolder(environment) else {
        throw UsageError(
          "there is no state folder (STATE_DIRECTORY, XDG_STATE_HOME or HOME); name one: --results",
          command: .serve
        )
      }
      configuration.resultsFolder = "\(folder)/results"
    }
    return configuration
  }

  /// Where a service keeps what outlives it: systemd's folder for it, or the user's own.
  private static func stateFolder(_ environment: Environment) -> String? {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.first == "/" ? $0 : nil }
    }
    if let given = folder("STATE_DIRECTORY") {
      // systemd separates several by colons; the first one is ours.
      return String(given.prefix { $0 != ":" })
    }
    return folder("XDG_STATE_HOME").map { "\($0)/affix" }
      ?? folder("HOME").map { "\($0)/.local/state/affix" }
  }
}
