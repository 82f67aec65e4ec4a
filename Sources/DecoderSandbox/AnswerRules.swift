package import AttachmentModel

/// What an answer must be like to be believed: a child may have been taken over by a file.
///
/// The types were checked when the JSON was read. What is left are numbers that the parent
/// calculates with, texts that it prints, and previews that it writes and serves.
package struct AnswerRules {
  /// What was asked.
  let question: ExaminationQuestion
  /// How many bytes the file has.
  let size: ByteCount
  /// How long the answer took.
  let spent: Duration

  private static let longestLine = 1_000
  private static let mostFindings = 1_000
  /// What 32 bits hold: no format says more.
  private static let counts = 0...Int(UInt32.max)

  /// Rules for one answer.
  package init(question: ExaminationQuestion, size: ByteCount, spent: Duration) {
    self.question = question
    self.size = size
    self.spent = spent
  }

  /// Whether nothing in an answer contradicts the question or the file.
  package func allow(_ answer: ExaminationAnswer) -> Bool {
    guard answer.timeSpent <= spent, isTime(answer.inspectTime), answer.waited == .zero,
      allow(answer.inspection)
    else {
      return false
    }
    switch answer.pixels {
    case .unasked:
      return true
    case .unavailable(let error):
      return question.decodesPixels && Self.isLine(error.message)
    case .picture(let examination), .cover(let examination):
      return question.decodesPixels && allow(examination)
    }
  }

  private func allow(_ inspection: MediaInspection) -> Bool {
    let counts = [inspection.width, inspection.height, inspection.frames]
    let texts = [
      inspection.contentName, inspection.magicType, inspection.videoCodec, inspection.audioCodec,
    ]
    return inspection.size == size
      && counts.allSatisfy { $0.map(Self.counts.contains) ?? true }
      && (inspection.orientation.map((1...8).contains) ?? true)
      && (inspection.duration.map { $0 >= .zero && $0 <= .seconds(1 << 32) } ?? true)
      && (0...Int64(UInt32.max)).contains(inspection.packedTextSize.bytes)
      && (inspection.coverArt.map { $0.lowerBound >= 0 && $0.upperBound <= size.bytes } ?? true)
      && texts.allSatisfy { $0.map(Self.isLine) ?? true }
      && inspection.findings.count <= Self.mostFindings
      && inspection.findings.allSatisfy { Self.isLine($0.detail) }
  }

  private func allow(_ examination: ImageExamination) -> Bool {
    if case .damaged(let words) = examination.decoding, !Self.isLine(words) { return false }
    return isTime(examination.decodeTime) && isTime(examination.previewTime)
      && examination.previews.count == question.previews.count
      && zip(examination.previews, question.previews).allSatisfy { outcome, request in
        switch outcome {
        case .unavailable(let error): Self.isLine(error.message)
        case .rendered(let preview): allow(preview, request)
        }
      }
  }

  private func allow(_ preview: Preview, _ request: PreviewRequest) -> Bool {
    guard let signature = Self.signatures[preview.format] else { return false }
    return preview.bytes.starts(with: signature)
      && preview.bytes.count <= request.limit.bytes
      && Self.counts.contains(preview.width) && Self.counts.contains(preview.height)
      && (preview.quality.map((1...100).contains) ?? true)
      && Self.counts.contains(preview.encodes)
  }

  /// What a preview begins with, so that none is a web page to whoever is served it.
  private static let signatures: [MediaFormat: [UInt8]] = [
    .jpeg: [0xFF, 0xD8, 0xFF],
    .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
    .gif: Array("GIF8".utf8),
  ]

  private func isTime(_ time: Duration) -> Bool {
    time >= .zero && time <= spent
  }

  /// Whether a text is one printable line of bounded length.
  static func isLine(_ text: String) -> Bool {
    text.utf8.count <= longestLine
      && text.unicodeScalars.allSatisfy { !($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) }
  }
}

extension ExaminationQuestion {
  /// The most bytes that all previews may have together.
  var mostPreviewBytes: Int {
    previews.reduce(0) { sum, request in
      let (total, overflow) = sum.addingReportingOverflow(
        max(0, Int(clamping: request.limit.bytes))
      )
      return overflow ? Int.max : total
    }
  }
}
