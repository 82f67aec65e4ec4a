import AttachmentModel
import Downloading
import Glibc
import Reporting
import TimeBudgets

/// `affix health`: asks a service whether it lives, as a container's probe does.
struct HealthCommand: Sendable {
  let settings: Settings
  let operands: [String]
  let environment: Environment

  /// Asks once, for at most 2 s.
  func run() async throws(UsageError) -> ExitStatus {
    guard operands.count <= 1 else {
      throw UsageError("health asks one service at a time", command: .health)
    }
    let isSecure = settings.certificateChain != nil
    let service =
      operands.first ?? "\(isSecure ? "https" : "http")://\(settings.listening.fromHere.asWritten)"
    let url = Self.question(to: service)
    var configuration = Downloader.Configuration()
    configuration.addresses.allowsPrivateAddresses = true
    configuration.addresses.allowedPorts = Set(1...65_535)
    configuration.retries = 0
    configuration.maximumRedirects = 0
    let (own, given) = (settings.certificateFile, settings.downloading.certificateAuthorities)
    // Where it listens, a service is known by its own certificate, whoever signed that.
    configuration.certificateAuthorities = operands.isEmpty ? own ?? given : given ?? own
    configuration.userAgent = settings.downloading.userAgent
    do throws(DownloadError) {
      let folder = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
      let directory = try AttachmentDirectory(in: folder)
      defer { directory.remove() }
      let downloader = try Downloader(configuration, into: directory)
      let slot = try await downloader.slot(for: url)
      _ = try await downloader.download(
        in: slot,
        within: TimeBudget(.seconds(2)),
        screening: ScreeningRules(sizeLimit: .megabytes(1))
      )
      await downloader.stop()
      return .success
    } catch  where error.code == .invalidURL || error.code == .unsupportedScheme {
      throw UsageError(
        "'\(service.withoutSecrets.cutInTheMiddle(to: 100))' cannot be asked: \(error.message); "
          + "name it as in http://127.0.0.1:8470/healthz",
        command: .health
      )
    } catch {
      let advice = Self.advice(on: error.code, from: url).map { "; \($0)" } ?? ""
      StandardError.print("affix health: \(error.code.rawValue): \(error.message)\(advice)")
      return .rejected
    }
  }

  /// What is asked for: an address without a path names the service, and `/healthz` of it is meant.
  private static func question(to service: String) -> String {
    guard let authority = service.firstRange(of: "://")?.upperBound else { return service }
    let path = service[authority...].drop { !"/?#".contains($0) }
    return path.isEmpty || path == "/" ? service.dropLast(path.count) + "/healthz" : service
  }

  /// What may be amiss where something answers, but not as the address has it.
  private static func advice(on code: DownloadError.Code, from url: String) -> String? {
    switch code {
    case .protocolError where !url.lowercased().hasPrefix("https:"):
      "it may speak TLS: name --tls-certificate as for serve, or an https address"
    case .tlsFailed:
      "ask by a name that leads here and that its certificate has, as in affix health "
        + "https://NAME:PORT, and give the service's own --tls-certificate, or with --ca-file who "
        + "signed that, unless the system knows"
    default: nil
    }
  }
}
