import AttachmentModel
import PolicyChecking
import Testing

/// A row of the table, and evidence that it and no row above it applies to.
struct RowCase: Sendable, CustomTestStringConvertible {
  let trait: DecisionTrait
  let code: PolicyCode
  let evidence: @Sendable () -> PolicyFindings

  var testDescription: String {
    "\(trait)"
  }

  init(
    _ trait: DecisionTrait,
    _ code: PolicyCode,
    _ evidence: @escaping @Sendable () -> PolicyFindings
  ) {
    self.trait = trait
    self.code = code
    self.evidence = evidence
  }
}

private let tight = """
  {"name": "tight", "title": "Tight", "summary": "Every limit there is.", "sources": [],
   "kinds": {"image": {"max_bytes": 1000000, "max_frames": 10},
             "movie": {"max_bytes": 1000000, "max_duration_ms": 5000}},
   "formats": {"gif": {}, "jpeg": {}, "mp4-video": {}}}
  """

private func tightFindings(_ evidence: Evidence) -> PolicyFindings {
  AttachmentPolicy.read(tight).map { evidence.findings(under: $0) } ?? PolicyFindings()
}

private func ended(
  _ reason: EarlyEnd.Reason,
  _ format: MediaFormat?,
  limit: ByteCount? = nil
) -> Evidence {
  Evidence(format ?? .jpeg, as: "https://media.example/a.jpg")
    .changed { if format == nil { $0.inspection = nil } }
    .fetched {
      $0.announcedSize = ByteCount(60_000_000)
      $0.receivedBytes = ByteCount(50_000_001)
      $0.earlyEnd = EarlyEnd(reason, limit: limit)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct DecisionTableTests {
  static let cases: [RowCase] = [
    RowCase(.noBytes, .empty) { Evidence(.jpeg, size: 0).findings() },
    RowCase(.endedForType, .unsupportedType) { ended(.unsupportedType, .html).findings() },
    RowCase(.unacceptedFormat, .unsupportedType) { Evidence(.webp).findings() },
    RowCase(.unknownContent, .unsupportedType) { Evidence.unknown(as: "a.bin").findings() },
    RowCase(.finding(.encrypted), .encrypted) { Evidence(.mp4Video).found(.encrypted).findings() },
    RowCase(.finding(.corrupt), .corrupt) { Evidence(.png).found(.corrupt).findings() },
    RowCase(.decoderComplaint, .corrupt) { Evidence(.png).damaged().findings() },
    RowCase(.underSixteenBytes, .corrupt) { Evidence(.gif, size: 15).findings() },
    RowCase(.unknownContentUnderAcceptedName, .corrupt) {
      Evidence.unknown(as: "a.mp3").findings()
    },
    RowCase(.finding(.truncated), .truncated) { Evidence(.gif).found(.truncated).findings() },
    RowCase(.finding(.unsupportedVariant), .unsupportedVariant) {
      Evidence(.jpeg).found(.unsupportedVariant).findings()
    },
    RowCase(.finding(.noMedia), .noMedia) { Evidence(.mp4Video).found(.noMedia).findings() },
    RowCase(.finding(.polyglot), .polyglot) { Evidence(.jpeg).found(.polyglot).findings() },
    RowCase(.endedForSize, .tooLarge) {
      ended(.announcedTooLarge, nil, limit: .megabytes(50)).findings()
    },
    RowCase(.sizeOverLimit, .tooLarge) { Evidence(.gif, size: 50_000_001).findings() },
    RowCase(.pixelsOverLimit, .tooManyPixels) {
      Evidence(.jpeg).inspected {
        $0.width = 20_000
        $0.height = 14_000
      }.findings()
    },
    RowCase(.framesOverLimit, .tooManyFrames) {
      tightFindings(Evidence(.gif).inspected { $0.frames = 11 })
    },
    RowCase(.durationOverLimit, .tooLong) {
      tightFindings(Evidence(.mp4Video).inspected { $0.duration = .milliseconds(5_001) })
    },
    RowCase(.videoCodecUnlisted, .videoCodec) {
      Evidence(.mp4Video).inspected { $0.videoCodec = "av1" }.findings()
    },
    RowCase(.audioCodecUnlisted, .audioCodec) {
      Evidence(.mp4Video).inspected { $0.audioCodec = "opus" }.findings()
    },
    RowCase(.foreignAudioInMPEG4, .audioCodec) { Evidence.foreignAudio("mp4als").findings() },
    RowCase(.claimOfAnotherClass, .mislabelled) { Evidence(.gif, as: "a.mp4").findings() },
    RowCase(.claimOfAnotherDecoder, .mislabelled) { Evidence(.mp3, as: "a.m4a").findings() },
    RowCase(.unknownTypeHint, .filenameExtension) {
      Evidence(.png).hinted("image/png").findings()
    },
    RowCase(.noExtension, .filenameExtension) { Evidence(.png, as: "picture").findings() },
    RowCase(.unknownExtension, .filenameExtension) { Evidence(.png, as: "a.php").findings() },
    RowCase(.claimOfTheSameClass, .filenameExtension) { Evidence(.png, as: "a.jpg").findings() },
    RowCase(.movieClaimForAudio, .filenameExtension) { Evidence(.m4aAAC, as: "a.mp4").findings() },
    RowCase(.otherDeclaredType, .declaredType) {
      Evidence(.png).fetched { $0.declaredType = "application/octet-stream" }.findings()
    },
    RowCase(.typeBeyondPlatform, .platformLimit) { Evidence(.aacADTS).findings() },
    RowCase(.sizeBeyondPlatform, .platformLimit) { Evidence(.mp3, size: 5_000_001).findings() },
    RowCase(.finding(.notStreamable), .notStreamable) {
      Evidence(.mp4Video).found(.notStreamable).findings()
    },
    RowCase(.severalFrames, .animated) { Evidence(.apng).inspected { $0.frames = 20 }.findings() },
    RowCase(.memoryNearLimit, .memory) {
      Evidence(.jpeg).inspected {
        $0.width = 2_500
        $0.height = 2_000
      }.findings()
    },
    RowCase(.insecureAddress, .insecureURL) {
      Evidence(.jpeg, as: "http://media.example/a.jpg").findings()
    },
    RowCase(.rawAAC, .adts) { Evidence(.aacADTS).findings() },
    RowCase(.finding(.hev1), .hev1) {
      Evidence(.mp4Video).inspected { $0.videoCodec = "hevc" }.found(.hev1).findings()
    },
    RowCase(.finding(.lastFrameCut), .lastFrameCut) {
      Evidence(.mp3).found(.lastFrameCut).findings()
    },
    RowCase(.finding(.trailingData), .trailingData) {
      Evidence(.jpeg).found(.trailingData).findings()
    },
    RowCase(.severalAttempts, .retried) { Evidence(.jpeg).fetched { $0.retries = 2 }.findings() },
    RowCase(.finding(.metadataLocation), .metadataLocation) {
      Evidence(.jpeg).found(.metadataLocation).findings()
    },
  ]

  @Test(arguments: cases)
  func `a row leads to its code, its number and its remedy`(_ row: RowCase) throws {
    let findings = row.evidence()
    let entry = try #require(
      DecisionTable.rows.first { $0.trait == row.trait && $0.code == row.code }
    )
    let list = row.code.isWarning ? findings.warnings : findings.violations
    let found = try #require(list.first { $0.code == row.code })
    #expect(found.unError == entry.unError)
    #expect((found.remedy == nil) == (entry.remedy == .none))
    #expect(!found.message.isEmpty)
    #expect(found.message.first?.isUppercase == false || found.message.hasPrefix("Content-Type"))
    #expect(!found.message.hasSuffix("."))
    if row.code.isWarning {
      #expect(findings.violations.isEmpty)
    } else {
      #expect(findings.violationCodes == [row.code.rawValue])
    }
  }

  @Test
  func `every row has a case`() {
    #expect(DecisionTable.rows.map(\.trait) == Self.cases.map(\.trait))
    #expect(DecisionTable.rows.map(\.code) == Self.cases.map(\.code))
  }

  @Test
  func `rows stand in the order of precedence, warnings behind violations`() {
    let order = PolicyCode.allCases
    let places = DecisionTable.rows.filter { !$0.code.isWarning }
      .compactMap { order.firstIndex(of: $0.code) }
    #expect(places == places.sorted())
    let kinds = DecisionTable.rows.map(\.code.isWarning)
    #expect(kinds == kinds.sorted { !$0 && $1 })
  }

  @Test(arguments: PolicyCode.allCases)
  func `every code says what it means`(_ code: PolicyCode) {
    #expect(!code.summary.isEmpty)
    #expect(!code.summary.hasSuffix("."))
  }

  @Test(arguments: Remedy.allCases)
  func `every remedy says what it advises`(_ remedy: Remedy) {
    #expect(!remedy.summary.isEmpty)
    #expect(!remedy.summary.hasSuffix("."))
  }

  @Test
  func `the documentation shows the table as it is`() {
    let page = String(
      decoding: File.bytes("Sources/Pipeline/Documentation.docc/Verdicts.md"),
      as: UTF8.self
    )
    let shown = page.split(separator: "\n").filter { $0.hasPrefix("|") && $0.contains("`") }
    let rows = DecisionTable.rows.map { row in
      let number = row.unError.map { String($0) } ?? ""
      return "| \(row.trait.summary) | `\(row.code.rawValue)` | \(number) | \(row.remedy.summary) |"
    }
    #expect(shown.map(String.init) == rows)
  }

  @Test
  func `every trait says what it is`() {
    let summaries = DecisionTable.rows.map(\.trait.summary)
    #expect(Set(summaries).count == summaries.count)
  }

  @Test(
    arguments: [
      MediaFormat.jpeg, .png, .apng, .gif, .mp4Video, .m4aAAC, .m4aALAC, .mp3,
    ]
  )
  func `a sound file under its right name has no finding`(_ format: MediaFormat) {
    let evidence = Evidence(format).fetched { $0.declaredType = format.type?.mimeType }
    #expect(evidence.findings() == PolicyFindings())
    #expect(evidence.findings("apple") == PolicyFindings())
  }
}
