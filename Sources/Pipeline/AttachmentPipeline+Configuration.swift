public import AttachmentModel
public import Downloading
public import PolicyChecking

extension AttachmentPipeline {
  /// How to check; every default is stated with its unit.
  public struct Configuration: Sendable {
    /// The whole of one source, from its slot to its report; default: 30 s.
    public var allowance: Duration = .seconds(30)
    /// The policies to judge by, in order; default: `push`.
    public var policies: [AttachmentPolicy]
    /// How to fetch.
    public var downloading = Downloader.Configuration()
    /// Previews to make of images; default: one, 1,440 pixels long, at most 300 kB.
    public var previews = [PreviewRequest()]
    /// Whether pixels are decoded; previews need it; default: true.
    public var decodesPixels = true
    /// Whether files that are not kept are hashed too; default: false.
    public var hashesFiles = false
    /// The folder to keep files and previews in, made if missing; default: none is kept.
    public var outputFolder: String?
    /// Where the attachment directory is made while nothing is kept; default: `/tmp`.
    ///
    /// Callers pass `TMPDIR` where it is set.
    public var temporaryFolder = "/tmp"
    /// Threads that inspect and decode; default: one a core.
    public var workers: Int

    /// The defaults, with the policies to judge by.
    public init(policies: [AttachmentPolicy], workers: Int) {
      self.policies = policies
      self.workers = workers
    }
  }
}
