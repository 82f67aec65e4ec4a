import AttachmentModel

/// Judges what stands behind a picture's end: padding, an appendix, or another file.
enum TrailingBytes {
  /// What a format's own rule makes of bytes behind the end.
  enum Appendix {
    /// An extension of the format, and whole.
    case known
    /// An extension of the format that ends too early.
    case cut(String)
    /// Nothing that belongs to the format.
    case foreign
  }

  /// Fewer stray bytes than this are a writer's slip and not worth a word.
  private static let negligible: Int64 = 8
  /// How far into the appendix is searched for the beginnings of other files.
  private static let searched = 65_536

  /// Adds `polyglot` or `trailing-data`, or nothing for padding and negligible rests.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - end: Where the picture ends.
  ///   - inspection: Gets the finding.
  ///   - appendix: What the bytes at an offset are to the format.
  static func inspect(
    _ reader: inout ByteReader,
    from end: Int64,
    into inspection: inout MediaInspection,
    appendix: (inout ByteReader, Int64) -> Appendix = { _, _ in .foreign }
  ) {
    guard let start = firstContent(&reader, from: end) else { return }
    if let other = stranger(&reader, at: start) {
      inspection.findings.append(
        StructureFinding(.polyglot, "\(other) behind the picture's end at offset \(start)")
      )
      return
    }
    switch appendix(&reader, start) {
    case .known: return
    case .cut(let detail):
      inspection.findings.append(StructureFinding(.trailingData, detail))
    case .foreign where movie(&reader, at: start) != nil:
      inspection.findings.append(
        StructureFinding(.polyglot, "a movie behind the picture's end at offset \(start)")
      )
    case .foreign where reader.size - start >= negligible:
      let count = ByteCount(reader.size - end).exactly
      inspection.findings.append(
        StructureFinding(.trailingData, "\(count) behind the picture's end at offset \(end)")
      )
    case .foreign: return
    }
  }

  /// Where an ISO media file begins whose first byte but zeros stands here.
  static func movie(_ reader: inout ByteReader, at offset: Int64) -> Int64? {
    // The zeros that its size begins with pass for padding.
    (1...4).first { reader.matches("ftyp".utf8, at: offset + $0) }.map { offset + $0 - 4 }
  }

  /// The first byte that is no padding: neither zero nor FFh nor white space.
  static func firstContent(_ reader: inout ByteReader, from offset: Int64) -> Int64? {
    var position = offset
    while true {
      let run = reader.run(at: position, upTo: .max)
      guard !run.isEmpty else { return nil }
      if let found = run.firstIndex(where: { !isPadding($0) }) {
        // FFh is padding, but also the first byte of a marker.
        let index = found > run.startIndex && run[found - 1] == 0xFF ? found - 1 : found
        return position + Int64(index - run.startIndex)
      }
      position += Int64(run.count)
    }
  }

  private static func isPadding(_ byte: UInt8) -> Bool {
    byte == 0 || byte == 0xFF || byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// The name of another file that these bytes are, if one of another class.
  private static func stranger(_ reader: inout ByteReader, at offset: Int64) -> String? {
    let sample = reader.prefix(at: offset, upTo: searched)
    let head = FilePrefix(
      Array(sample.prefix(FormatSignature.longestPrefix)),
      isWhole: sample.count <= FormatSignature.longestPrefix
    )
    if case .signature(let found) = FormatSignature.match(head), isForeign(found) {
      return found.name
    }
    for (text, name) in hidden
    where sample.firstIndex(of: Array(text.utf8), ignoringCase: true) != nil {
      return name
    }
    return holdsArchive(&reader, from: offset) ? "a ZIP archive" : nil
  }

  private static let hidden = [
    ("<?php", "a PHP script"), ("<script", "an HTML script"), ("<!doctype html", "an HTML page"),
    ("<html", "an HTML page"), ("%pdf-", "a PDF document"),
  ]

  /// Documents, archives and programs; media of ISO form are left to the format's own rule.
  private static func isForeign(_ found: Signature) -> Bool {
    switch found.family {
    case .gzip: true
    case .named: found.name != "JSON text" && found.name != "an XML document"
    case .isoMedia, .mpegAudio, .adts: false
    default: found.format.kind != .image && found.settles
    }
  }

  /// Whether a ZIP directory ends the file: readers of ZIP files look for it from the back.
  private static func holdsArchive(_ reader: inout ByteReader, from offset: Int64) -> Bool {
    let start = max(offset, reader.size - 65_557)
    let tail = reader.prefix(at: start, upTo: 65_557)
    var rest = tail
    let record: [UInt8] = [0x50, 0x4B, 5, 6]
    while let found = rest.firstIndex(of: record, ignoringCase: false) {
      let left = tail.endIndex - found
      if left >= 22 {
        let comment = Int(tail[found + 20]) | Int(tail[found + 21]) << 8
        if comment <= left - 22 { return true }
      }
      rest = rest[(found + 4)...]
    }
    return false
  }
}
