import AttachmentModel
import PolicyChecking
import TimeBudgets

extension AttachmentReport {
  /// The report as one line of JSON, without a line end.
  ///
  /// Field names, codes and units are a contract: absent means unknown or not applicable, and
  /// times are milliseconds with three decimals.
  ///
  /// - Returns: UTF-8, the fields in the order of the contract.
  public func jsonLine() -> [UInt8] {
    var line = JSONLine()
    line.object { line in
      line.text("source", source)
      line.text("verdict", verdict.name)
      if case .unobtainable(let error) = verdict {
        line.object("error") { Self.write(error.code, error.message, to: &$0) }
      } else {
        line.list("violations", of: violations, Self.write)
        line.list("warnings", of: warnings, Self.write)
      }
      if policies.count > 1 { line.list("policies", of: policies, Self.write) }
      if let inspection = evidence.inspection {
        line.object("media") { Self.write(inspection, of: evidence.size, to: &$0) }
      }
      if let file {
        line.object("file") { line in
          line.text("path", file.path)
          line.text("name", file.name)
          line.text("sha256", file.sha256)
        }
      }
      if let transfer = evidence.transfer {
        line.object("transfer") { Self.write(transfer, to: &$0) }
      }
      if let preview = previews.first { line.object("preview") { Self.write(&$0, preview) } }
      if previews.count > 1 { line.list("previews", of: previews, Self.write) }
      if let repair { line.object("repair") { Self.write(repair, to: &$0) } }
      line.object("budget") { Self.write(ledger, to: &$0) }
    }
    return line.bytes
  }

  private static func write(_ code: String, _ message: String, to line: inout JSONLine) {
    line.text("code", code)
    line.text("message", message)
  }

  private static func write(_ line: inout JSONLine, _ violation: PolicyViolation) {
    write(violation.code.rawValue, violation.message, to: &line)
    write(violation.limit, as: "limit", to: &line)
    write(violation.actual, as: "actual", to: &line)
    line.number("un_error", violation.unError)
    line.text("remedy", violation.remedy)
  }

  private static func write(
    _ value: PolicyViolation.Value?,
    as name: StaticString,
    to line: inout JSONLine
  ) {
    switch value {
    case .number(let number)?: line.number(name, number)
    case .text(let text)?: line.text(name, text)
    case nil: break
    }
  }

  private static func write(_ line: inout JSONLine, _ result: PolicyResult) {
    line.text("policy", result.policy)
    line.text("verdict", result.findings.violations.isEmpty ? "deliverable" : "rejected")
    line.list("violations", of: result.findings.violations, write)
    line.list("warnings", of: result.findings.warnings, write)
  }

  private static func write(_ line: inout JSONLine, _ preview: PreviewResult) {
    switch preview.outcome {
    case .rendered(let picture):
      line.text("path", preview.path)
      write(picture, to: &line)
    case .unavailable(let error):
      line.object("error") { write(error.code.rawValue, error.message, to: &$0) }
    }
  }

  private static func write(_ picture: Preview, to line: inout JSONLine) {
    line.text("format", picture.format.rawValue)
    line.number("size_bytes", picture.bytes.count)
    line.number("width", picture.width)
    line.number("height", picture.height)
    line.number("quality", picture.quality)
    line.number("encodes", picture.encodes)
    line.number("frames", picture.frames)
    line.number("dropped_frames", picture.droppedFrames)
  }

  private static func write(_ repair: Repair, to line: inout JSONLine) {
    line.text("path", repair.path)
    switch repair.outcome {
    case .renamed(let format, let size, let width, let height):
      line.text("format", format.rawValue)
      line.size("size_bytes", size)
      line.number("width", width)
      line.number("height", height)
    case .encoded(let picture):
      write(picture, to: &line)
    case .unavailable(let error):
      line.object("error") { write(error.code.rawValue, error.message, to: &$0) }
    }
  }

  private static func write(
    _ media: MediaInspection,
    of size: ByteCount?,
    to line: inout JSONLine
  ) {
    let type = media.format.type
    line.text("format", media.format.rawValue)
    line.text("type", type?.identifier)
    line.text("mime_type", type?.mimeType ?? media.magicType)
    line.text("filename_extension", type?.filenameExtensions.first)
    line.text("kind", media.kind?.rawValue)
    line.size("size_bytes", size)
    line.number("width", media.width)
    line.number("height", media.height)
    line.number("orientation", media.orientation)
    line.number("frames", media.frames)
    line.time("duration_ms", media.duration)
    line.text("video_codec", media.videoCodec)
    line.text("audio_codec", media.audioCodec)
    line.size("decoded_bytes", media.decodedSize)
  }

  private static func write(_ transfer: TransferMetrics, to line: inout JSONLine) {
    line.text("url", transfer.url)
    line.text("http_version", transfer.httpVersion)
    line.number("status", transfer.status)
    line.number("redirects", transfer.redirects)
    line.text("declared_type", transfer.declaredType)
    line.size("received_bytes", transfer.receivedBytes)
    line.text("remote_address", transfer.remoteAddress)
    line.time("queue_ms", transfer.queue)
    line.time("name_lookup_ms", transfer.nameLookup)
    line.time("connect_ms", transfer.connect)
    line.time("tls_ms", transfer.tls)
    line.time("redirect_ms", transfer.redirect)
    line.time("first_byte_ms", transfer.firstByte)
    line.time("body_ms", transfer.body)
    line.time("wait_ms", transfer.wait)
    line.time("total_ms", transfer.total)
    line.number("retries", transfer.retries)
    line.text("cache", transfer.cache?.rawValue)
    line.text("ended_early", transfer.earlyEnd?.reason.rawValue)
    line.size("spared_bytes", transfer.sparedBytes)
  }

  private static func write(_ ledger: BudgetLedger, to line: inout JSONLine) {
    line.time("allowance_ms", ledger.allowance)
    line.time("spent_ms", ledger.spent)
    line.list("entries", of: ledger.entries) { line, entry in
      line.text("stage", entry.stage.rawValue)
      line.time("ms", entry.duration)
    }
  }
}
