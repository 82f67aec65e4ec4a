import AttachmentModel
import PolicyChecking

/// Evidence written by hand: a sound file under its right name unless a test says otherwise.
struct Evidence {
  var reference: AttachmentReference
  var inspection: MediaInspection?
  var transfer: TransferMetrics?
  var examination: ImageExamination?

  init(_ format: MediaFormat, size: Int64 = 100_000, as source: String? = nil) {
    let suffix = format.type?.filenameExtensions.first ?? "bin"
    reference = AttachmentReference(source: source ?? "media/file.\(suffix)")
    inspection = MediaInspection(format: format, size: ByteCount(size))
    if format.kind == .image {
      inspection?.width = 640
      inspection?.height = 480
      inspection?.frames = 1
    }
    switch format {
    case .mp4Video:
      inspection?.isMPEG4 = true
      inspection?.videoCodec = "h264"
      inspection?.audioCodec = "aac"
    case .m4aAAC, .m4aALAC:
      inspection?.isMPEG4 = true
      inspection?.audioCodec = format == .m4aAAC ? "aac" : "alac"
    default:
      break
    }
  }

  func changed(_ change: (inout Evidence) -> Void) -> Evidence {
    var copy = self
    change(&copy)
    return copy
  }

  func inspected(_ change: (inout MediaInspection) -> Void) -> Evidence {
    changed { evidence in
      if var inspection = evidence.inspection {
        change(&inspection)
        evidence.inspection = inspection
      }
    }
  }

  func found(_ kind: StructureFinding.Kind, _ detail: String = "words") -> Evidence {
    inspected { $0.findings.append(StructureFinding(kind, detail)) }
  }

  func damaged(_ words: String = "bad Huffman code") -> Evidence {
    changed {
      $0.examination = ImageExamination(
        decoding: .damaged(words),
        previews: [],
        decodeTime: .zero,
        previewTime: .zero
      )
    }
  }

  func hinted(_ typeHint: String) -> Evidence {
    changed { $0.reference.typeHint = typeHint }
  }

  func fetched(
    _ url: String = "https://media.example/file",
    _ change: (inout TransferMetrics) -> Void = { _ in }
  ) -> Evidence {
    changed {
      var transfer = TransferMetrics(url: url)
      transfer.status = 200
      transfer.receivedBytes = $0.inspection?.size ?? ByteCount(0)
      change(&transfer)
      $0.transfer = transfer
    }
  }

  func findings(_ policy: String = "push") -> PolicyFindings {
    let evidence = AttachmentEvidence(
      reference: reference,
      transfer: transfer,
      inspection: inspection,
      examination: examination
    )
    return AttachmentPolicy.builtIn(policy)?.findings(for: evidence)
      ?? PolicyFindings(violations: [PolicyViolation(.corrupt, "no policy \(policy)")])
  }

  func findings(under policy: AttachmentPolicy) -> PolicyFindings {
    policy.findings(
      for: AttachmentEvidence(
        reference: reference,
        transfer: transfer,
        inspection: inspection,
        examination: examination
      )
    )
  }

  /// Bytes of no known type.
  static func unknown(size: Int64 = 1_000, as source: String) -> Evidence {
    Evidence(.other, size: size, as: source)
  }

  /// MPEG-4 sound in a codec without a format of its own.
  static func foreignAudio(_ codec: String?, as source: String = "a.m4a") -> Evidence {
    Evidence(.other, as: source).inspected {
      $0.contentName = "MPEG-4 audio"
      $0.isMPEG4 = true
      $0.kind = .audio
      $0.audioCodec = codec
    }
  }
}

extension PolicyFindings {
  var violationCodes: [String] {
    violations.map(\.code.rawValue)
  }

  var warningCodes: [String] {
    warnings.map(\.code.rawValue)
  }

  func first(_ code: PolicyCode) -> PolicyViolation? {
    (violations + warnings).first { $0.code == code }
  }
}

extension AttachmentPolicy {
  /// A policy from its text, or nothing.
  static func read(_ text: String) -> AttachmentPolicy? {
    try? AttachmentPolicy(json: Array(text.utf8))
  }
}
