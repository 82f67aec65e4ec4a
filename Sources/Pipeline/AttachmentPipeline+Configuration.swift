public import AttachmentModel
import DecoderSandbox
public import Downloading
public import PolicyChecking
import TimeBudgets

extension AttachmentPipeline {
  /// How to check; every default is stated with its unit.
  public struct Configuration: Sendable {
    /// The whole of one source, from its slot to its report; default: 30 s.
    public var allowance: Duration = .seconds(30)
    /// All sources of this pipeline together, from its start; default: no limit.
    public var totalAllowance: Duration?
    /// Once this many body bytes were received, no further source is tried; default: no limit.
    public var totalBytes: ByteCount?
    /// The most bytes that fetched files may take on the disk at once; default: no limit.
    public var quota: ByteCount?
    /// The policies to judge by, in order; default: `push`.
    public var policies: [AttachmentPolicy]
    /// How to fetch.
    public var downloading = Downloader.Configuration()
    /// Previews to make of images; default: one, 1,440 pixels long, at most 300 kB.
    public var previews = [PreviewRequest()]
    /// A small picture of each image for a report, from the same pixels; default: none.
    public var thumbnail: PreviewRequest?
    /// Whether a file that is not as it should be is repaired at full size; default: false.
    public var repairs = false
    /// Whether pixels are decoded; previews need it; default: true.
    public var decodesPixels = true
    /// The most pixels that a frame may have to be decoded; default: 100,000,000.
    public var pixelLimit = 100_000_000
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

extension AttachmentPipeline.Configuration {
  /// Whether any preview is to be made.
  var wantsPreviews: Bool {
    decodesPixels && !previews.isEmpty
  }

  /// What is to be found out about each file.
  var question: ExaminationQuestion {
    ExaminationQuestion(
      decodesPixels: decodesPixels,
      previews: previews + [thumbnail].compactMap { $0 },
      pixelLimit: pixelLimit
    )
  }

  /// What is wrong with this configuration, in words; nothing where it is sound.
  public func validate() -> String? {
    if allowance <= .zero || allowance > .seconds(3_600) {
      return "a budget of \(allowance.milliseconds) ms; it must be more than nothing, at most 1 h"
    }
    if policies.isEmpty { return "no policy to judge by; name at least one" }
    if !(1...1_024).contains(workers) {
      return "\(workers) workers; it must be 1 to 1,024"
    }
    return downloading.validate()
  }

  /// The folder that the attachment directory goes into, made if it is to be kept.
  ///
  /// The attachment directory of a run that keeps files lies in the output folder itself, so that
  /// keeping a file is a rename.
  func makeStorageFolder() throws(DownloadError) -> String {
    guard let outputFolder else { return temporaryFolder }
    try AttachmentDirectory.makeFolder(outputFolder)
    return outputFolder
  }
}
