public import AttachmentModel
public import Downloading

extension AttachmentPipeline {
  /// The terms of checks that name none.
  public var terms: CheckTerms {
    configuration.terms
  }

  /// An empty file of the attachment directory, for bytes that somebody sends.
  ///
  /// - Throws: `storage-full`; `cancelled` once the pipeline is closed.
  public func makeUpload() throws(DownloadError) -> StoredBody {
    try StoredBody(in: directory)
  }

  /// Removes an upload that is not to be checked.
  public func discard(_ upload: AttachmentFile) {
    directory.discard(upload)
  }
}
