import AttachmentModel
import Cryptography
import Downloading
import MediaSniffing
import PolicyChecking
import PreviewRendering
import TimeBudgets

/// The blocking half of the line: from bytes to report, on a worker thread.
struct AttachmentAssessor: Sendable {
  private let configuration: AttachmentPipeline.Configuration
  private let directory: AttachmentDirectory
  private let inspector: MediaInspector
  /// Nothing where no pixels are decoded: starting libvips takes longer than many a check.
  private let examiner: ImageExaminer?

  init(
    _ configuration: AttachmentPipeline.Configuration,
    directory: AttachmentDirectory
  ) throws(PipelineError) {
    self.configuration = configuration
    self.directory = directory
    inspector = MediaInspector()
    do throws(InspectionError) {
      try inspector.prepare()
    } catch {
      throw PipelineError(.libraryUnavailable, error.message)
    }
    do throws(PreviewError) {
      examiner = configuration.decodesPixels ? try ImageExaminer() : nil
    } catch {
      throw PipelineError(.libraryUnavailable, error.message)
    }
  }

  /// Inspects, examines and judges what was obtained; the file is kept or gone afterwards.
  func assess(_ obtained: Download.Ending, _ draft: ReportDraft) -> AttachmentReport {
    var draft = draft
    switch obtained {
    case .completed(let file?):
      defer { directory.discard(file) }
      do throws(CheckError) {
        try inspect(file, &draft)
        examine(file, &draft)
        let policies = judge(&draft)
        try keep(file, &draft)
        return draft.judged(policies)
      } catch {
        return draft.unobtainable(error.code, error.message)
      }
    case .completed(nil):
      draft.evidence.inspection = MediaInspection(format: .other, size: ByteCount(0))
      draft.previews = unavailable(.undecodable, "there are no bytes to decode")
    case .endedEarly(_, let prefix):
      draft.evidence.inspection = recognize(
        prefix,
        announced: draft.evidence.transfer?.announcedSize
      )
      draft.previews = unavailable(.undecodable, "the file was not fetched whole")
    }
    return draft.judged(judge(&draft))
  }

  private func inspect(_ file: AttachmentFile, _ draft: inout ReportDraft) throws(CheckError) {
    guard !draft.budget.isSpent else {
      throw CheckError(
        code: DownloadError.Code.budgetSpent.rawValue,
        message:
          "the budget of \(draft.budget.allowance.milliseconds) ms is spent before inspection"
      )
    }
    do throws(InspectionError) {
      draft.evidence.inspection = try draft.timed(.inspect) { () throws(InspectionError) in
        try inspector.inspect(file.slice)
      }
    } catch {
      throw CheckError(code: DownloadError.Code.unreadable.rawValue, message: error.message)
    }
  }

  private func examine(_ file: AttachmentFile, _ draft: inout ReportDraft) {
    guard let inspection = draft.evidence.inspection, let examiner else { return }
    switch inspection.kind {
    case .image where inspection.format.isDecodable:
      examine(file.slice, inspection, with: examiner, isAttachment: true, &draft)
    case .audio:
      guard configuration.wantsPreviews else { return }
      guard let cover = cover(of: file, inspection, &draft) else {
        draft.previews = unavailable(.noCover, "the audio carries no cover picture")
        return
      }
      examine(cover.slice, cover.inspection, with: examiner, isAttachment: false, &draft)
    case .movie:
      draft.previews = unavailable(.movie, "movies are not decoded; link a picture as the preview")
    default:
      let name = inspection.contentName ?? "unknown content"
      draft.previews = unavailable(.undecodable, "\(name) has no pixels that can be decoded")
    }
  }

  /// Decodes a picture once: for its findings, where it is the attachment, and for its previews.
  private func examine(
    _ picture: FileSlice,
    _ inspection: MediaInspection,
    with examiner: ImageExaminer,
    isAttachment: Bool,
    _ draft: inout ReportDraft
  ) {
    do throws(PreviewError) {
      var examination = try examiner.examine(
        picture,
        inspection: inspection,
        previews: configuration.previews + [configuration.thumbnail].compactMap { $0 },
        pixelLimit: configuration.pixelLimit,
        within: draft.budget
      )
      draft.ledger.record(examination.decodeTime, for: .decode)
      draft.ledger.record(examination.previewTime, for: .preview)
      if configuration.thumbnail != nil,
        case .rendered(let picture)? = examination.previews.popLast()
      {
        draft.thumbnail = picture
      }
      draft.previews = examination.previews.map { AttachmentReport.PreviewResult(outcome: $0) }
      if isAttachment { draft.evidence.examination = examination }
    } catch {
      draft.previews = unavailable(error.code, error.message)
    }
  }

  private func judge(_ draft: inout ReportDraft) -> [AttachmentReport.PolicyResult] {
    let evidence = draft.evidence
    return draft.timed(.judge) {
      configuration.policies.map {
        AttachmentReport.PolicyResult(policy: $0.name, findings: $0.findings(for: evidence))
      }
    }
  }

  /// Cover art inside the file, where it is a picture that can be decoded.
  private func cover(
    of file: AttachmentFile,
    _ inspection: MediaInspection,
    _ draft: inout ReportDraft
  ) -> (slice: FileSlice, inspection: MediaInspection)? {
    guard let range = inspection.coverArt else { return nil }
    let slice = FileSlice(
      descriptor: file.descriptor,
      offset: range.lowerBound,
      size: ByteCount(Int64(range.count))
    )
    let found = draft.timed(.inspect) { try? inspector.inspect(slice) }
    guard let found, found.format.isDecodable else { return nil }
    return (slice, found)
  }

  private func recognize(_ prefix: [UInt8], announced: ByteCount?) -> MediaInspection? {
    guard
      case .recognized(let format, let name, _) = FormatSignature.recognize(prefix, isWhole: false)
    else { return nil }
    return MediaInspection(
      format: format,
      contentName: name,
      size: announced ?? ByteCount(Int64(prefix.count))
    )
  }

  private func unavailable(
    _ code: PreviewError.Code,
    _ message: String
  ) -> [AttachmentReport.PreviewResult] {
    configuration.wantsPreviews
      ? configuration.previews.map { _ in
        AttachmentReport.PreviewResult(outcome: .unavailable(PreviewError(code, message)))
      } : []
  }

  /// Hashes the file where it was asked for, and keeps it and its previews where they are to stay.
  private func keep(_ file: AttachmentFile, _ draft: inout ReportDraft) throws(CheckError) {
    guard configuration.hashesFiles || configuration.outputFolder != nil else { return }
    guard let digest = SHA256Hasher.digest(ofFile: file.descriptor)?.hexadecimal else {
      throw CheckError(
        code: DownloadError.Code.unreadable.rawValue,
        message: "the file cannot be read again"
      )
    }
    let format = draft.evidence.inspection?.format
    let suffix = format?.type?.filenameExtensions.first ?? "bin"
    let name = "\(digest).\(suffix)"
    draft.file = AttachmentReport.StoredFile(path: nil, name: name, sha256: digest)
    guard let output = configuration.outputFolder else { return }
    do throws(DownloadError) {
      draft.file?.path = try directory.keep(file, as: name, in: output)
      for index in draft.previews.indices {
        guard case .rendered(let preview) = draft.previews[index].outcome,
          let suffix = preview.format.type?.filenameExtensions.first
        else { continue }
        let stored = try directory.store(preview.bytes)
        defer { directory.discard(stored) }
        let name = "\(digest)-\(preview.width)x\(preview.height).\(suffix)"
        draft.previews[index].path = try directory.keep(stored, as: name, in: output)
      }
    } catch {
      throw CheckError(code: error.code.rawValue, message: error.message)
    }
  }
}
