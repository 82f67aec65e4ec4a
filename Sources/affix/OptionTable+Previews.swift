import AttachmentModel

/// What previews are to be like.
extension OptionTable {
  static let previews: [CommandOption] = [
    .flag("no-preview", \.skipsPreviews, "make no previews", for: checking),
    .optionalSize(
      "preview-bytes",
      \.previewLimit,
      within: ByteCount(1)...ByteCount.megabytes(50),
      default: PreviewRequest().limit,
      "the most bytes of a preview; without it no more than the policies take, either",
      for: every
    ),
    previewSize(isRepeatable: true, for: checking),
    previewSize(isRepeatable: false, for: [.preview]),
    CommandOption(
      name: "crop",
      kind: .text,
      placeholder: "HOW",
      choices: PreviewRequest.Crop.allCases.map(\.rawValue),
      defaultText: PreviewRequest().crop.rawValue,
      help: "what fills a frame WxH: none shows all, centre, attention or entropy cut",
      commands: every
    ) { (values, settings) throws(InvalidValue) in
      let names = PreviewRequest.Crop.allCases.map(\.rawValue)
      guard let name = values.last, let crop = PreviewRequest.Crop(rawValue: name) else {
        throw InvalidValue(
          requirement: "must be one of " + names.joined(separator: ", ")
            + Suggestion.hint(for: values.last ?? "", among: names),
          value: values.last
        )
      }
      settings.crop = crop
    },
    .flag(
      "animated",
      \.wantsAnimation,
      "keep an animation moving, as a GIF of fewer frames, colours and pixels",
      for: every
    ),
    .flag(
      "repair",
      \.repairs,
      "make a full-size version that would be delivered, where the file would not be",
      for: [.check]
    ),
  ]

  private static func previewSize(
    isRepeatable: Bool,
    for commands: Set<Command>
  ) -> CommandOption {
    CommandOption(
      name: "preview-size",
      kind: .text,
      placeholder: "PIXELS",
      isRepeatable: isRepeatable,
      defaultText: PreviewRequest().size.asWritten,
      help: "the longer side, or the frame to fit as WxH",
      commands: commands
    ) { (values, settings) throws(InvalidValue) in
      var sizes: [PreviewRequest.Size] = []
      for value in isRepeatable ? values[...] : values.suffix(1) {
        guard let size = PreviewRequest.Size(written: value) else {
          throw InvalidValue(
            requirement: "must be 1440 or 1440x720, each number from 16 to 16384",
            value: value
          )
        }
        if !sizes.contains(size) { sizes.append(size) }
      }
      settings.previewSizes = sizes
    }
  }
}

extension PreviewRequest.Size {
  /// Reads `1440` or `1440x720`.
  fileprivate init?(written text: String) {
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    let limits = 16...16_384
    switch (numbers.first ?? nil, numbers.dropFirst().first ?? nil, numbers.count) {
    case (let edge?, nil, 1) where limits.contains(edge): self = .longEdge(edge)
    case (let width?, let height?, 2) where limits.contains(width) && limits.contains(height):
      self = .within(width: width, height: height)
    default: return nil
    }
  }

  fileprivate var asWritten: String {
    switch self {
    case .longEdge(let edge): String(edge)
    case .within(let width, let height): "\(width)x\(height)"
    case .original: "original"
    }
  }
}
