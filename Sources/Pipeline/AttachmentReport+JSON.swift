import AttachmentModel
import FoundationEssentials
import PolicyChecking
import TimeBudgets

extension AttachmentReport: Encodable {
  /// The report as one line of JSON, without a line end.
  ///
  /// Field names, codes and units are a contract: absent means unknown or not applicable, and
  /// times are milliseconds with three decimals.
  ///
  /// - Returns: UTF-8 with sorted keys.
  /// - Throws: What the encoder throws, which no report gives reason to.
  public func jsonLine() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try Array(encoder.encode(self))
  }

  private enum Key: String, CodingKey {
    case source, verdict, violations, warnings, policies, media, file, transfer, preview, previews
    case budget, error
  }

  /// Writes the report with the contract's field names.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(source, forKey: .source)
    try fields.encode(verdict.name, forKey: .verdict)
    if case .unobtainable(let error) = verdict {
      try fields.encode(error, forKey: .error)
    } else {
      try fields.encode(violations, forKey: .violations)
      try fields.encode(warnings, forKey: .warnings)
    }
    if policies.count > 1 { try fields.encode(policies, forKey: .policies) }
    try fields.encodeIfPresent(evidence.inspection.map(MediaFields.init), forKey: .media)
    try fields.encodeIfPresent(file, forKey: .file)
    try fields.encodeIfPresent(evidence.transfer.map(TransferFields.init), forKey: .transfer)
    try fields.encodeIfPresent(previews.first, forKey: .preview)
    if previews.count > 1 { try fields.encode(previews, forKey: .previews) }
    try fields.encode(BudgetFields(ledger), forKey: .budget)
  }
}

extension AttachmentReport.PolicyResult: Encodable {
  private enum Key: String, CodingKey {
    case policy, verdict, violations, warnings
  }

  /// Writes one policy's findings.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(policy, forKey: .policy)
    try fields.encode(findings.violations.isEmpty ? "deliverable" : "rejected", forKey: .verdict)
    try fields.encode(findings.violations, forKey: .violations)
    try fields.encode(findings.warnings, forKey: .warnings)
  }
}

extension AttachmentReport.PreviewResult: Encodable {
  private enum Key: String, CodingKey {
    case path, format, width, height, quality, encodes, error
    case size = "size_bytes"
  }

  /// Writes the preview's figures, or why there is none.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    switch outcome {
    case .rendered(let preview):
      try fields.encodeIfPresent(path, forKey: .path)
      try fields.encode(preview.format, forKey: .format)
      try fields.encode(preview.bytes.count, forKey: .size)
      try fields.encode(preview.width, forKey: .width)
      try fields.encode(preview.height, forKey: .height)
      try fields.encodeIfPresent(preview.quality, forKey: .quality)
      try fields.encode(preview.encodes, forKey: .encodes)
    case .unavailable(let error):
      try fields.encode(error, forKey: .error)
    }
  }
}

/// `media` in the report.
private struct MediaFields: Encodable {
  let inspection: MediaInspection

  private enum Key: String, CodingKey {
    case format, type, kind, width, height, orientation, frames
    case mimeType = "mime_type"
    case filenameExtension = "filename_extension"
    case size = "size_bytes"
    case duration = "duration_ms"
    case videoCodec = "video_codec"
    case audioCodec = "audio_codec"
    case decodedSize = "decoded_bytes"
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    let type = inspection.format.type
    try fields.encode(inspection.format, forKey: .format)
    try fields.encodeIfPresent(type?.identifier, forKey: .type)
    try fields.encodeIfPresent(type?.mimeType ?? inspection.magicType, forKey: .mimeType)
    try fields.encodeIfPresent(type?.filenameExtensions.first, forKey: .filenameExtension)
    try fields.encodeIfPresent(inspection.kind, forKey: .kind)
    try fields.encode(inspection.size, forKey: .size)
    try fields.encodeIfPresent(inspection.width, forKey: .width)
    try fields.encodeIfPresent(inspection.height, forKey: .height)
    try fields.encodeIfPresent(inspection.orientation, forKey: .orientation)
    try fields.encodeIfPresent(inspection.frames, forKey: .frames)
    try fields.encodeIfPresent(inspection.duration?.milliseconds, forKey: .duration)
    try fields.encodeIfPresent(inspection.videoCodec, forKey: .videoCodec)
    try fields.encodeIfPresent(inspection.audioCodec, forKey: .audioCodec)
    try fields.encodeIfPresent(inspection.decodedSize, forKey: .decodedSize)
  }
}

/// `transfer` in the report.
private struct TransferFields: Encodable {
  let metrics: TransferMetrics

  private enum Key: String, CodingKey {
    case url, status, redirects, retries, cache
    case httpVersion = "http_version"
    case declaredType = "declared_type"
    case receivedBytes = "received_bytes"
    case remoteAddress = "remote_address"
    case queue = "queue_ms"
    case nameLookup = "name_lookup_ms"
    case connect = "connect_ms"
    case tls = "tls_ms"
    case redirect = "redirect_ms"
    case firstByte = "first_byte_ms"
    case body = "body_ms"
    case wait = "wait_ms"
    case total = "total_ms"
    case endedEarly = "ended_early"
    case sparedBytes = "spared_bytes"
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(metrics.url, forKey: .url)
    try fields.encodeIfPresent(metrics.httpVersion, forKey: .httpVersion)
    try fields.encodeIfPresent(metrics.status, forKey: .status)
    try fields.encode(metrics.redirects, forKey: .redirects)
    try fields.encodeIfPresent(metrics.declaredType, forKey: .declaredType)
    try fields.encode(metrics.receivedBytes, forKey: .receivedBytes)
    try fields.encodeIfPresent(metrics.remoteAddress, forKey: .remoteAddress)
    try fields.encode(metrics.queue.milliseconds, forKey: .queue)
    try fields.encode(metrics.nameLookup.milliseconds, forKey: .nameLookup)
    try fields.encode(metrics.connect.milliseconds, forKey: .connect)
    try fields.encode(metrics.tls.milliseconds, forKey: .tls)
    try fields.encode(metrics.redirect.milliseconds, forKey: .redirect)
    try fields.encode(metrics.firstByte.milliseconds, forKey: .firstByte)
    try fields.encode(metrics.body.milliseconds, forKey: .body)
    try fields.encode(metrics.wait.milliseconds, forKey: .wait)
    try fields.encode(metrics.total.milliseconds, forKey: .total)
    try fields.encode(metrics.retries, forKey: .retries)
    try fields.encodeIfPresent(metrics.cache, forKey: .cache)
    try fields.encodeIfPresent(metrics.earlyEnd?.reason, forKey: .endedEarly)
    try fields.encodeIfPresent(metrics.sparedBytes, forKey: .sparedBytes)
  }
}

/// `budget` in the report.
private struct BudgetFields: Encodable {
  let ledger: BudgetLedger

  private struct Entry: Encodable {
    let stage: BudgetStage
    let ms: Double
  }

  private enum Key: String, CodingKey {
    case entries
    case allowance = "allowance_ms"
    case spent = "spent_ms"
  }

  init(_ ledger: BudgetLedger) {
    self.ledger = ledger
  }

  func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Key.self)
    try fields.encode(ledger.allowance.milliseconds, forKey: .allowance)
    try fields.encode(ledger.spent.milliseconds, forKey: .spent)
    let entries = ledger.entries.map { Entry(stage: $0.stage, ms: $0.duration.milliseconds) }
    try fields.encode(entries, forKey: .entries)
  }
}
