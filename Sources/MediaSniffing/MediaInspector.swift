public import AttachmentModel

/// Finds out what a file really is, and whether it is whole.
///
/// The first bytes name the format, the structure decides, and libmagic gives its opinion wherever
/// those two leave a file without a name: beside a checked structure it would not be heard.
/// One inspector serves any number of threads; each asks a libmagic database of its own.
///
/// ```swift
/// let inspection = try MediaInspector().inspect(file.slice)
/// ```
public final class MediaInspector: Sendable {
  private let magic = MagicPool()

  /// What libmagic is shown at first, and where it had no idea.
  private static let firstLook = FormatSignature.longestPrefix
  static let secondLook = 64 * 1_024

  /// An inspector that opens libmagic's database when it is first needed.
  public init() {}

  /// Opens libmagic's database now, as a process must before it gives up access to files.
  ///
  /// - Throws: `magic-unavailable`.
  public func prepare() throws(InspectionError) {
    try magic.prepare()
  }

  /// Inspects an open file from its first byte to its last.
  ///
  /// Blocks the calling thread; the file's position is not used. Work is linear in the size.
  ///
  /// - Parameter slice: The bytes of a regular file.
  /// - Returns: What the file is, and every finding about its structure.
  /// - Throws: `unreadable` or `magic-unavailable`, never for what the file contains.
  public func inspect(_ slice: FileSlice) throws(InspectionError) -> MediaInspection {
    try inspect(ByteReader(slice))
  }

  /// Inspects bytes from the first to the last.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameter bytes: A file's content.
  /// - Returns: What the bytes are, and every finding about their structure.
  /// - Throws: `unreadable` or `magic-unavailable`, never for what the bytes are.
  public func inspect(_ bytes: ByteReader) throws(InspectionError) -> MediaInspection {
    var reader = bytes
    let prefix = Array(reader.prefix(at: 0, upTo: Self.firstLook))
    var (inspection, basis) = Self.look(prefix, &reader)
    if basis == .signature(.gzip) { try lookInsideGzip(&reader, into: &inspection) }
    if Self.isOpen(inspection, basis), inspection.format == .other {
      try askMagic(prefix, &reader, into: &inspection)
      if basis == .nothing { Self.takeMagicName(prefix, into: &inspection) }
    }
    try Self.check(reader)
    return inspection
  }

  /// What signature and structure tell of a file, where they leave nothing to ask libmagic.
  ///
  /// No C library is touched, so that this needs no sandbox. Blocks the calling thread.
  ///
  /// - Parameter bytes: A file's content.
  /// - Returns: What `inspect(_:)` returns too; nothing where libmagic has to be asked.
  /// - Throws: `unreadable`.
  public static func settled(_ bytes: ByteReader) throws(InspectionError) -> MediaInspection? {
    var reader = bytes
    let prefix = Array(reader.prefix(at: 0, upTo: firstLook))
    let (inspection, basis) = look(prefix, &reader)
    try check(reader)
    return isOpen(inspection, basis) ? nil : inspection
  }

  /// What a file was recognised by.
  private enum Basis: Equatable {
    case signature(Signature.Family)
    case frames
    case nothing
  }

  /// Looks at signature and structure.
  private static func look(
    _ prefix: [UInt8],
    _ reader: inout ByteReader
  ) -> (inspection: MediaInspection, basis: Basis) {
    var inspection = MediaInspection(format: .other, size: ByteCount(reader.size))
    guard let signature = signature(prefix, &reader) else {
      let hasFrames = StructureChecks.findFrames(&reader, into: &inspection)
      return (inspection, hasFrames ? .frames : .nothing)
    }
    signature.identify(&inspection)
    StructureChecks.run(for: signature.family, &reader, into: &inspection)
    if inspection.contentName == nil, inspection.format == signature.format {
      inspection.contentName = signature.name
    }
    findHiddenDocument(prefix, signature, into: &inspection)
    return (inspection, .signature(signature.family))
  }

  /// Whether libmagic may know more: of what has no name, and of what gzip data holds.
  private static func isOpen(_ inspection: MediaInspection, _ basis: Basis) -> Bool {
    inspection.size > ByteCount(0) && (inspection.format == .other || basis == .signature(.gzip))
  }

  private static func check(_ reader: ByteReader) throws(InspectionError) {
    guard let failure = reader.failure else { return }
    throw InspectionError(.unreadable, "the file cannot be read: error \(failure)")
  }

  private static func takeMagicName(_ prefix: [UInt8], into inspection: inout MediaInspection) {
    guard let type = inspection.magicType, let found = MagicName.identification(of: type, prefix)
    else { return }
    inspection.format = found.format
    inspection.kind = found.format.kind
    inspection.contentName = found.name
  }

  /// Takes libmagic's opinion of the first bytes, and of more where it has none of those.
  private func askMagic(
    _ prefix: [UInt8],
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) throws(InspectionError) {
    let cookie = try magic.borrow()
    defer { magic.giveBack(cookie) }
    inspection.magicType = cookie.type(of: prefix)
    guard inspection.magicType == nil, reader.size > Int64(prefix.count) else { return }
    inspection.magicType = cookie.type(of: Array(reader.prefix(at: 0, upTo: Self.secondLook)))
  }

  /// The signature at the beginning, or behind an ID3v2 tag of any length.
  private static func signature(_ prefix: [UInt8], _ reader: inout ByteReader) -> Signature? {
    let isWhole = reader.size == Int64(prefix.count)
    var match = FormatSignature.match(FilePrefix(prefix, isWhole: isWhole))
    if match == .undecided {
      let more = Array(reader.prefix(at: 0, upTo: secondLook))
      match = FormatSignature.match(FilePrefix(more, isWhole: true))
    }
    guard case .signature(let found) = match else { return nil }
    guard found.family == .id3, let end = AudioSignatures.tagEnd(prefix) else { return found }
    let rest = Array(reader.prefix(at: end, upTo: firstLook))
    return AudioSignatures.behindTag(FilePrefix(rest, isWhole: true)) ?? found
  }

  /// Names what gzip data holds where that is a picture: `.svgz` is SVG to whoever shows it.
  private func lookInsideGzip(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) throws(InspectionError) {
    let cookie = try magic.borrow()
    defer { magic.giveBack(cookie) }
    let packed = Array(reader.prefix(at: 0, upTo: Self.secondLook))
    guard let type = cookie.type(insideGzip: packed), type == "image/svg+xml" else { return }
    inspection.format = .svg
    inspection.kind = .image
    inspection.contentName = "a compressed SVG picture"
  }

  /// PDF readers accept 1,024 bytes of anything before a document, so of a picture too.
  private static func findHiddenDocument(
    _ prefix: [UInt8],
    _ signature: Signature,
    into inspection: inout MediaInspection
  ) {
    guard signature.format != .pdf, inspection.kind != nil, !inspection.has(.polyglot),
      let offset = FilePrefix(prefix, isWhole: false)
        .firstIndex(of: "%PDF-", within: FormatSignature.junkBeforePDF + 5)
    else { return }
    inspection.findings.append(
      StructureFinding(.polyglot, "a PDF document begins at offset \(offset)")
    )
  }
}
