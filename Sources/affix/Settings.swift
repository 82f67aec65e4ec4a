import AttachmentModel
import DecoderSandbox
import Downloading
import Glibc
import HTTPService
import Observability
import Pipeline
import PolicyChecking
import Reporting

/// What the command line, the environment and the configuration file ask for, read and checked.
struct Settings: Sendable {
  /// JSON lines instead of a table.
  var printsJSON = false
  /// Results in the order of the sources.
  var isOrdered = false
  /// What to judge by.
  var policies = [Settings.defaultPolicy].compactMap(AttachmentPolicy.builtIn)
  /// The whole of one source.
  var allowance: Duration = .seconds(30)
  /// All sources together.
  var totalAllowance: Duration?
  /// What all sources may fetch together.
  var totalBytes: ByteCount?
  /// What fetched files may take on the disk at once.
  var quota: ByteCount?
  /// How to fetch.
  var downloading = Settings.downloadingDefaults
  /// Where files and previews are kept.
  var outputFolder: String?
  /// Where `preview` writes to; `-` is standard output.
  var previewOutput: String?
  /// Hash what is not kept, too.
  var hashesFiles = false
  /// No decoding of pixels.
  var isQuick = false
  /// Decode in this process.
  var skipsSandbox = false
  /// No previews.
  var skipsPreviews = false
  /// The most bytes of a preview; without it the usual limit, or the policies' where it is lower.
  var previewLimit: ByteCount?
  /// The frames that previews must fit.
  var previewSizes = [PreviewRequest().size]
  /// What becomes of pictures that do not have their frame's proportions.
  var crop = PreviewRequest().crop
  /// Animated previews of animations.
  var wantsAnimation = false
  /// A deliverable version of what is not.
  var repairs = false
  /// What report is written beside the normal output.
  var reportFormat: ReportFormat?
  /// Where it is written to.
  var reportFile: String?
  /// The policy whose JSON is to be printed, by name or file.
  var shownPolicy: AttachmentPolicy?
  /// How to serve.
  var service = Settings.serviceDefaults
  /// Where to listen.
  var listening = ListeningAddress.usual
  /// Results without the files themselves.
  var keepsNoContent = false
  /// The certificate chain, in PEM.
  var certificateChain: String?
  /// The file that the chain was read from.
  var certificateFile: String?
  /// The key of the certificate, in PEM.
  var certificateKey: String?
  /// The log's lines that matter less are not written.
  var logLevel = StructuredLog.Level.info
  /// A configuration file.
  var configurationFile: String?

  /// The name of the policy that is used where none is asked for.
  static let defaultPolicy = "push"

  private static let serviceDefaults = {
    var configuration = HTTPService.Configuration(resultsFolder: "")
    configuration.version = Version.number
    return configuration
  }()

  private static let downloadingDefaults = {
    var configuration = Downloader.Configuration()
    configuration.userAgent = "Affix/\(Version.number)"
    return configuration
  }()

  /// What the pipeline is to do.
  ///
  /// - Parameter environment: Where `TMPDIR` is looked up.
  /// - Returns: A configuration with one worker a core.
  func pipelineConfiguration(_ environment: Environment) -> AttachmentPipeline.Configuration {
    var configuration = AttachmentPipeline.Configuration(
      policies: policies,
      workers: Self.cores
    )
    configuration.terms.allowance = allowance
    configuration.totalAllowance = totalAllowance
    configuration.totalBytes = totalBytes
    configuration.quota = quota
    configuration.downloading = downloading
    configuration.terms.decodesPixels = !isQuick
    configuration.terms.previews = previewRequests
    configuration.terms.repairs = repairs
    // A page of hundreds of previews of full size would be too heavy to open.
    configuration.terms.thumbnail =
      reportFormat == .html && !isQuick
      ? PreviewRequest(size: .longEdge(256), limit: .kilobytes(16)) : nil
    configuration.terms.hashesFiles = hashesFiles
    configuration.outputFolder = outputFolder
    if let folder = environment["TMPDIR"], !folder.isEmpty {
      configuration.temporaryFolder = folder
    }
    return configuration
  }

  /// Who looks at files: children in a cage, unless the user wants none.
  ///
  /// - Parameter sources: How many files there will be; as many children are started at once, while
  ///   the first file is still being fetched.
  /// - Returns: An examiner, to be closed after the pipeline.
  /// - Throws: `library-unavailable`.
  func examiner(sources: Int) throws(PipelineError) -> any FileExamining {
    do throws(ExaminationError) {
      guard !skipsSandbox else {
        return try UncagedExaminer(decoding: isQuick ? [] : UncagedExaminer.hardenedFormats)
      }
      var configuration = CagedExaminer.Configuration(children: Self.cores)
      if isQuick { configuration.formats = [] }
      let examiner = try CagedExaminer(configuration)
      if !isQuick { examiner.prepare(children: sources) }
      return examiner
    } catch {
      throw PipelineError(.libraryUnavailable, error.message)
    }
  }

  /// How many sources are in hand at once: every slot filled, and one or two more a core, which
  /// are being inspected or whose results are being written.
  var sourcesInHand: Int {
    downloading.concurrency + 2 * Self.cores
  }

  /// How many of them may be of one host while there are others: the same for its slots alone.
  ///
  /// Reports in the order given wait for a slow host anyway.
  var hostShare: Int? {
    let isShared = !isOrdered && downloading.perHost < downloading.concurrency
    return isShared ? downloading.perHost + 2 * Self.cores : nil
  }

  /// Asks for fewer transfers at once where the system does not let us open enough files, and says
  /// so: sources would fail that have no fault.
  mutating func fitConcurrencyToDescriptors() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let descriptors = Int(clamping: limit.rlim_cur)
    // A transfer takes a socket, a second one while two addresses race, a file, and leaves a
    // connection that waits to be used again; the rest is for what is opened once.
    let most = max(1, (descriptors - 32) / 4)
    guard most < downloading.concurrency else { return }
    downloading.concurrency = most
    StandardError.print(
      "affix: transfers at once: \(most), since no more than \(descriptors) files can be open "
        + "(ulimit -n)"
    )
  }

  private static var cores: Int {
    max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
  }
}
