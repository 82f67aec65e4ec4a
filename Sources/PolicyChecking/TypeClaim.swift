import AttachmentModel

/// What the type hint, or else the file-name extension, makes a device believe; of bytes without a
/// name, what their media type says.
///
/// Source: Apple, `UNNotificationAttachmentOptionsTypeHintKey`; a valid hint goes before the
/// extension, and one that is no uniform type identifier is passed over.
struct TypeClaim {
  /// What was believed.
  enum Subject {
    /// Formats that go by the name, the one that a device thinks of first.
    case formats([MediaFormat])
    /// Any format of these kinds, as `public.image` says.
    case kinds([MediaKind])
  }

  /// Where it stands.
  enum Origin {
    /// In the payload.
    case typeHint
    /// At the end of the name.
    case filenameExtension
    /// In the request that brought the bytes.
    case contentType
  }

  /// How far a claim and a format agree.
  enum Agreement {
    /// The claim names the format.
    case right
    /// It names a movie in the MPEG-4 container, and this is the same container without pictures.
    case sameContainer
    /// Another format that the same decoders read.
    case sameClass
    /// Another format, whose decoder would fail on this one.
    case otherDecoder
    /// Another class, or none that could be shown.
    case otherClass
  }

  var subject: Subject
  /// The hint, extension or media type itself.
  var words: String
  var origin: Origin

  /// What a device would go by; nothing where it knows none of it.
  init?(_ reference: AttachmentReference) {
    if let claim = reference.typeHint.flatMap({ TypeClaim(typeHint: $0) }) {
      self = claim
      return
    }
    guard let suffix = reference.filenameExtension, let claim = TypeClaim(filenameExtension: suffix)
    else { return nil }
    self = claim
    if let type = reference.announcedType {
      words = Wording.line(type)
      origin = .contentType
    }
  }

  /// Reads a uniform type identifier; nothing for an unknown one.
  init?(typeHint: String) {
    let identifier = typeHint.lowercased()
    if let kinds = Self.abstractTypes[identifier] {
      subject = .kinds(kinds)
    } else {
      let name = Self.aliases[identifier] ?? identifier
      let formats = MediaFormat.allCases.filter { $0.type?.identifier.lowercased() == name }
      guard !formats.isEmpty else { return nil }
      subject = .formats(formats)
    }
    words = typeHint
    origin = .typeHint
  }

  /// Reads an extension; nothing for an unknown one.
  init?(filenameExtension: String) {
    let formats = MediaFormat.named(byExtension: filenameExtension)
    guard !formats.isEmpty else { return nil }
    subject = .formats(formats)
    words = filenameExtension
    origin = .filenameExtension
  }

  /// What to say of the claim: `type hint public.png`, `extension .png`, `Content-Type image/png`.
  var phrase: String {
    switch origin {
    case .typeHint: "type hint \(words)"
    case .filenameExtension: "extension .\(words)"
    case .contentType: "Content-Type \(words)"
    }
  }

  /// Whether a policy accepts any of what is claimed.
  func isAccepted(by policy: AttachmentPolicy) -> Bool {
    switch subject {
    case .formats(let formats): formats.contains(where: policy.accepts)
    case .kinds(let kinds):
      policy.formats.keys.contains { $0.kind.map(kinds.contains) ?? false }
    }
  }

  /// Holds the claim against what the file is.
  ///
  /// - Parameters:
  ///   - format: What the file is.
  ///   - kind: Its class, which for a 3GP file depends on its tracks.
  /// - Returns: The closest agreement that holds.
  func agreement(with format: MediaFormat, kind: MediaKind?) -> Agreement {
    switch subject {
    case .kinds(let kinds):
      return kind.map(kinds.contains) ?? false ? .right : .otherClass
    case .formats(let formats):
      guard let first = formats.first else { return .otherClass }
      let wanted = Self.twin(of: format)
      if Self.twin(of: first) == wanted { return .right }
      if formats.contains(where: { Self.twin(of: $0) == wanted }) { return .sameContainer }
      let isSameContainer = Self.isMPEG4(first) && Self.isMPEG4(format)
      if isSameContainer, first.kind == .movie, kind == .audio { return .sameContainer }
      guard let kind, first.kind == kind else { return .otherClass }
      return kind == .image || isSameContainer ? .sameClass : .otherDecoder
    }
  }

  /// Formats that share their names with another are held against that one.
  private static func twin(of format: MediaFormat) -> MediaFormat {
    switch format {
    case .apng: .png
    case .m4aALAC: .m4aAAC
    default: format
    }
  }

  private static func isMPEG4(_ format: MediaFormat) -> Bool {
    [.mp4Video, .m4aAAC, .m4aALAC, .mov, .threeGP].contains(format)
  }

  /// Identifiers that name a class and no format.
  private static let abstractTypes: [String: [MediaKind]] = [
    "public.image": [.image],
    "public.audio": [.audio],
    "public.movie": [.movie],
    "public.video": [.movie],
    "public.audiovisual-content": [.audio, .movie],
  ]

  /// Further identifiers that Apple declares for formats we name.
  private static let aliases = [
    "com.apple.m4a-audio": "public.mpeg-4-audio",
    "com.apple.m4v-video": "public.mpeg-4",
    "public.mpeg-2-video": "public.mpeg",
    "public.mpeg-2-transport-stream": "public.mpeg",
    "public.aifc-audio": "public.aiff-audio",
    "public.heif": "public.heic",
    "public.3gpp2": "public.3gpp",
  ]
}
