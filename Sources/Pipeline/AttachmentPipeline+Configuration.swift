public import AttachmentModel
public import Downloading
public import PolicyChecking

extension AttachmentPipeline {
  /// How to check; every default is stated with its unit.
  public struct Configuration: Sendable {
    /// What checks are to find out, where they name no terms of their own.
    public var terms: CheckTerms
    /// All sources of this pipeline together, from its start; default: no limit.
    public var totalAllowance: Duration?
    /// Once this many body bytes were received, no further source is tried; default: no limit.
    public var totalBytes: ByteCount?
    /// The most bytes that fetched files may take on the disk at once; default: no limit.
    public var quota: ByteCount?
    /// How to fetch.
    public var downloading = Downloader.Configuration()
    /// The most pixels that a frame may have to be decoded; default: 100,000,000.
    public var pixelLimit = 100_000_000
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
      terms = CheckTerms(policies: policies)
      self.workers = workers
    }
  }
}

extension AttachmentPipeline.Configuration {
  /// What is wrong with this configuration, in words; nothing where it is sound.
  public func validate() -> String? {
    if let problem = terms.validate() { return problem }
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
