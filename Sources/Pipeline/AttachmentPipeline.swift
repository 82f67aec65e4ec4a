public import AttachmentModel

/// The straight line: fetch, inspect, examine, judge, report.
public final class AttachmentPipeline: Sendable {
  /// A pipeline with its attachment directory, its transfer engine and its workers.
  ///
  /// - Throws: `invalid-configuration`, `storage-unavailable`, `library-unavailable`.
  public init(_ configuration: Configuration) throws(PipelineError) {
  }

  /// Body bytes received so far over all sources, for a progress bar.
  public var receivedBytes: ByteCount {
    ByteCount(0)
  }

  /// Checks one source.
  ///
  /// Waits for a slot first, so callers may start as many as they like. Cancelling the task ends
  /// the transfer and reports `cancelled`.
  ///
  /// - Throws: Only where no report can be written: `storage-unavailable`.
  public func check(
    _ reference: AttachmentReference
  ) async throws(PipelineError) -> AttachmentReport {
    throw PipelineError(.storageUnavailable, "the pipeline is not built yet")
  }

  /// Ends all transfers and removes the attachment directory; the pipeline is of no use afterwards.
  public func close() async {
  }
}
