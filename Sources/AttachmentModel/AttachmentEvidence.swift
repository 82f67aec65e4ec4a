/// Everything that is known about one attachment when it is judged, and nothing but facts.
public struct AttachmentEvidence: Sendable, Hashable {
  /// What was claimed.
  public var reference: AttachmentReference
  /// How it was fetched; absent for local files.
  @Indirect public var transfer: TransferMetrics?
  /// What it is; absent where the transfer ended before the first byte.
  ///
  /// After an early end this is what the first bytes told: a format and a name, no structure.
  @Indirect public var inspection: MediaInspection?
  /// What decoding showed; absent where nothing was decoded.
  @Indirect public var examination: ImageExamination?

  /// The size of the file; absent where a transfer was stopped before its end, and had not been
  /// told where that is.
  public var size: ByteCount? {
    if let transfer, transfer.earlyEnd != nil { return transfer.announcedSize }
    return inspection?.size
  }

  /// Evidence, as far as it was gathered.
  public init(
    reference: AttachmentReference,
    transfer: TransferMetrics? = nil,
    inspection: MediaInspection? = nil,
    examination: ImageExamination? = nil
  ) {
    self.reference = reference
    self.transfer = transfer
    self.inspection = inspection
    self.examination = examination
  }
}
