import AttachmentModel
import Cryptography
import DecoderSandbox
import Downloading
import MediaSniffing
import PolicyChecking
import TimeBudgets

/// From bytes to report: the half of the line that blocks, and runs on a worker thread.
struct AttachmentAssessor: Sendable {
  private let configuration: AttachmentPipeline.Configuration
  private let directory: AttachmentDirectory
  private let examiner: any FileExamining
  private let loopAllowance = LoopAllowance()

  init(
    _ configuration: AttachmentPipeline.Configuration,
    directory: AttachmentDirectory,
    examiner: any FileExamining
  ) {
    self.configuration = configuration
    self.directory = directory
    self.examiner = examiner
  }

  /// The most bytes that are looked at between transfers: a tenth of a millisecond's work, unless
  /// somebody made them to take longer.
  private static let settledAtOnce = ByteCount(256 * 1_024)

  /// What becomes of a body: what is settled from memory leaves nothing behind.
  func bodyRules(under terms: CheckTerms) -> BodyRules {
    var rules = BodyRules()
    rules.needsFile = needsFile(under: terms)
    rules.hashes = needsHash(under: terms)
    rules.makeSkimmer = {
      var skimmer = PayloadSkimmer()
      return { bytes in
        // Invariant: the buffer is the caller's, valid for this call; it is only read.
        let run = skimmer.next(bytes)
        return (run.count, run.isNeeded)
      }
    }
    return rules
  }

  private func needsFile(under terms: CheckTerms) -> Bool {
    !terms.needsStructureAlone || configuration.outputFolder != nil
  }

  private func needsHash(under terms: CheckTerms) -> Bool {
    terms.hashesFiles || configuration.outputFolder != nil
  }

  /// Judges what needs no decoder and no second reading: that takes less time than handing it over.
  ///
  /// Does not block, and so may run where transfers do: what has just been fetched is in memory.
  ///
  /// - Parameters:
  ///   - obtained: What was fetched.
  ///   - draft: What is known of it.
  /// - Returns: Nothing where a worker must look at it.
  func settle(_ obtained: Download.Ending, _ draft: ReportDraft) -> AttachmentReport? {
    var draft = draft
    let content: ByteReader
    let size: Int64
    switch obtained {
    case .held(let body): (content, size) = (ByteReader(body.content), Int64(body.content.cost))
    case .completed(let file?): (content, size) = (ByteReader(file.slice), file.size.bytes)
    case .completed(nil): return judge(prefix: nil, &draft)
    case .endedEarly(_, let prefix): return judge(prefix: prefix, &draft)
    }
    guard size <= Self.settledAtOnce.bytes, !draft.budget.isSpent, !needsFile(under: draft.terms),
      draft.sha256 != nil || !needsHash(under: draft.terms),
      let inspection = loopAllowance.spend(on: { settledInspection(of: content, &draft) })
    else { return nil }
    if case .completed(let file?) = obtained { directory.discard(file) }
    return judge(inspection, &draft)
  }

  /// What is to be told of a file without asking libmagic.
  private func settledInspection(
    of content: ByteReader,
    _ draft: inout ReportDraft
  ) -> MediaInspection? {
    draft.timed(.inspect) { try? MediaInspector.settled(content) }
  }

  /// Judges by an inspection alone.
  private func judge(
    _ inspection: MediaInspection,
    _ draft: inout ReportDraft
  ) -> AttachmentReport {
    draft.evidence.inspection = inspection
    if let sha256 = draft.sha256 { name(sha256, &draft) }
    let policies = judge(&draft)
    return draft.judged(policies)
  }

  /// Inspects, examines and judges what was obtained; the file is kept or gone afterwards.
  func assess(_ obtained: Download.Ending, _ draft: ReportDraft) -> AttachmentReport {
    var draft = draft
    let file: AttachmentFile
    do throws(DownloadError) {
      switch obtained {
      case .held(let body):
        // Where there was no time for it between transfers, it needs no file either.
        if let spent = spentBudget(draft) { return draft.unobtainable(spent.code, spent.message) }
        if let inspection = settledInspection(of: ByteReader(body.content), &draft) {
          return judge(inspection, &draft)
        }
        file = try directory.store(body.content)
      case .completed(let stored?): file = stored
      case .completed(nil): return judge(prefix: nil, &draft)
      case .endedEarly(_, let prefix): return judge(prefix: prefix, &draft)
      }
    } catch {
      return draft.unobtainable(error.code.rawValue, error.message)
    }
    // What is handed over goes when its last holder does.
    defer { if draft.attachment == nil { directory.discard(file) } }
    do throws(CheckError) {
      try examine(file, &draft)
      let policies = judge(&draft)
      try repair(file, policies, &draft)
      try keep(file, &draft)
      return draft.judged(policies)
    } catch {
      return draft.unobtainable(error.code, error.message)
    }
  }

  /// Judges what did not come whole by its first bytes; nothing: no byte was there to come.
  private func judge(prefix: [UInt8]?, _ draft: inout ReportDraft) -> AttachmentReport {
    if let prefix {
      let found = FormatSignature.inspection(
        of: prefix,
        fileSize: draft.evidence.transfer?.announcedSize ?? ByteCount(Int64(prefix.count))
      )
      let error =
        found?.previewObstacle
        ?? PreviewError(.undecodable, "its first bytes settled the verdict")
      draft.evidence.inspection = found
      draft.previews = unavailable(error.code, error.message, draft.terms)
    } else {
      draft.evidence.inspection = MediaInspection(format: .other, size: ByteCount(0))
      draft.previews = unavailable(.undecodable, "there are no bytes to decode", draft.terms)
    }
    let policies = judge(&draft)
    return draft.judged(policies)
  }

  private func spentBudget(_ draft: ReportDraft) -> CheckError? {
    guard draft.budget.isSpent else { return nil }
    return CheckError(
      code: DownloadError.Code.budgetSpent.rawValue,
      message: "\(draft.budget.phrase) was spent before inspection"
    )
  }

  private func examine(_ file: AttachmentFile, _ draft: inout ReportDraft) throws(CheckError) {
    if let spent = spentBudget(draft) { throw spent }
    do throws(ExaminationError) {
      let answer = try examiner.examine(
        file.slice,
        draft.terms.question(pixelLimit: configuration.pixelLimit),
        within: draft.budget
      )
      draft.recordWait(answer.waited)
      draft.ledger.record(answer.inspectTime, for: .inspect)
      draft.evidence.inspection = answer.inspection
      take(answer.pixels, &draft)
    } catch {
      throw CheckError(code: error.code.rawValue, message: error.message)
    }
  }

  /// What pixels show is evidence where they are the attachment's own; previews are made of any.
  private func take(_ pixels: ExaminationAnswer.Pixels, _ draft: inout ReportDraft) {
    switch pixels {
    case .unasked:
      break
    case .picture(let examination):
      draft.evidence.examination = take(examination, &draft)
    case .cover(let examination):
      _ = take(examination, &draft)
    case .unavailable(let error):
      draft.previews = unavailable(error.code, error.message, draft.terms)
      if error.code == .budgetSpent, draft.evidence.inspection?.format.kind == .image {
        draft.unseenPixels = error.message
      }
    }
  }

  /// Takes time and previews into the draft.
  ///
  /// - Returns: The examination without the thumbnail, which is no preview that was asked for.
  private func take(
    _ examination: ImageExamination,
    _ draft: inout ReportDraft
  ) -> ImageExamination {
    var examination = examination
    draft.ledger.record(examination.decodeTime, for: .decode)
    draft.ledger.record(examination.previewTime, for: .preview)
    if draft.terms.thumbnail != nil,
      case .rendered(let picture)? = examination.previews.popLast()
    {
      draft.thumbnail = picture
    }
    draft.previews = examination.previews.map { AttachmentReport.PreviewResult(outcome: $0) }
    return examination
  }

  private func judge(_ draft: inout ReportDraft) -> [AttachmentReport.PolicyResult] {
    let (evidence, policies) = (draft.evidence, draft.terms.policies)
    return draft.timed(.judge) {
      policies.map {
        AttachmentReport.PolicyResult(policy: $0.name, findings: $0.findings(for: evidence))
      }
    }
  }

  /// Makes the version that would be delivered, where this one is not as it should be.
  ///
  /// A second look at the file, so that those that need none pay nothing.
  private func repair(
    _ file: AttachmentFile,
    _ results: [AttachmentReport.PolicyResult],
    _ draft: inout ReportDraft
  ) throws(CheckError) {
    guard draft.terms.repairs, let inspection = draft.evidence.inspection else { return }
    let plan = RepairPlan(
      draft.evidence,
      results.map(\.findings),
      under: draft.terms.policies
    )
    switch plan {
    case .unneeded:
      break
    case .impossible(let error):
      draft.repair = AttachmentReport.Repair(outcome: .unavailable(error))
    case .rename:
      draft.repair = AttachmentReport.Repair(
        outcome: .renamed(
          inspection.format,
          size: inspection.size,
          width: inspection.width,
          height: inspection.height
        )
      )
    case .encode(let request):
      let question = ExaminationQuestion(
        decodesPixels: true,
        previews: [request],
        pixelLimit: configuration.pixelLimit,
        inspection: inspection
      )
      var outcome = try outcome(of: question, on: file, &draft)
      if case .encoded(let picture) = outcome, !request.formats.contains(picture.format) {
        let error = "it fits as a JPEG alone, which the policies do not all accept"
        outcome = .unavailable(PreviewError(.cannotFit, error))
      }
      draft.repair = AttachmentReport.Repair(outcome: outcome)
    }
  }

  private func outcome(
    of question: ExaminationQuestion,
    on file: AttachmentFile,
    _ draft: inout ReportDraft
  ) throws(CheckError) -> AttachmentReport.Repair.Outcome {
    do throws(ExaminationError) {
      let answer = try examiner.examine(file.slice, question, within: draft.budget)
      draft.recordWait(answer.waited)
      if let examination = answer.examination {
        draft.ledger.record(examination.decodeTime, for: .decode)
        draft.ledger.record(examination.previewTime, for: .preview)
      }
      switch answer.pixels {
      case .picture(let examination):
        switch examination.previews.first {
        case .rendered(let picture)?: return .encoded(picture)
        case .unavailable(let error)?: return .unavailable(error)
        case nil: break
        }
      case .unavailable(let error): return .unavailable(error)
      case .cover, .unasked: break
      }
      return .unavailable(PreviewError(.undecodable, "the picture was not decoded again"))
    } catch  where error.code == .budgetSpent {
      return .unavailable(PreviewError(.budgetSpent, error.message))
    } catch {
      throw CheckError(code: error.code.rawValue, message: error.message)
    }
  }

  private func unavailable(
    _ code: PreviewError.Code,
    _ message: String,
    _ terms: CheckTerms
  ) -> [AttachmentReport.PreviewResult] {
    terms.wantsPreviews
      ? terms.previews.map { _ in
        AttachmentReport.PreviewResult(outcome: .unavailable(PreviewError(code, message)))
      } : []
  }

  /// Names what was checked by its hash and its type.
  @discardableResult
  private func name(_ sha256: String, _ draft: inout ReportDraft) -> String {
    let format = draft.evidence.inspection?.format
    let name = "\(sha256).\(format?.type?.filenameExtensions.first ?? "bin")"
    draft.file = AttachmentReport.StoredFile(path: nil, name: name, sha256: sha256)
    return name
  }

  /// Hashes the file where that was asked for and not done yet, and keeps it and its previews where
  /// they are to stay.
  private func keep(_ file: AttachmentFile, _ draft: inout ReportDraft) throws(CheckError) {
    if draft.terms.handsOverFile { draft.attachment = directory.handOver(file) }
    guard needsHash(under: draft.terms) else { return }
    guard
      let digest = draft.sha256 ?? SHA256Hasher.digest(ofFile: file.descriptor)?.hexadecimal
    else {
      throw CheckError(
        code: DownloadError.Code.unreadable.rawValue,
        message: "the file cannot be read again"
      )
    }
    let name = name(digest, &draft)
    guard let output = configuration.outputFolder else { return }
    do throws(DownloadError) {
      let path = try directory.keep(file, as: name, in: output)
      draft.file?.path = path
      for index in draft.previews.indices {
        guard case .rendered(let preview) = draft.previews[index].outcome,
          let suffix = preview.format.type?.filenameExtensions.first
        else { continue }
        let stored = try directory.store(SparseBytes(preview.bytes))
        defer { directory.discard(stored) }
        let name = "\(digest)-\(preview.width)x\(preview.height).\(suffix)"
        draft.previews[index].path = try directory.keep(stored, as: name, in: output)
      }
      switch draft.repair?.outcome {
      case .renamed?:
        draft.repair?.path = path
      case .encoded(let picture)?:
        guard let suffix = picture.format.type?.filenameExtensions.first else { break }
        let stored = try directory.store(SparseBytes(picture.bytes))
        defer { directory.discard(stored) }
        draft.repair?.path = try directory.keep(
          stored,
          as: "\(digest)-repaired.\(suffix)",
          in: output
        )
      case .unavailable?, nil:
        break
      }
    } catch {
      throw CheckError(code: error.code.rawValue, message: error.message)
    }
  }
}
