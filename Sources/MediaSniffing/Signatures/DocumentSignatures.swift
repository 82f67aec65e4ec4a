import AttachmentModel

/// Signatures of documents, archives, programs and rarer media that are only ever named.
enum DocumentSignatures {
  static func match(_ prefix: FilePrefix) -> SignatureMatch? {
    guard let first = prefix[0] else { return nil }
    if first == 0x1F, prefix.has([0x1F, 0x8B, 8]) {
      return .signature(
        Signature(format: .other, name: "gzip data", family: .gzip, settles: false)
      )
    }
    for entry in table where entry.bytes[0] == first && prefix.has(entry.bytes) {
      var found = Signature.named(entry.format, entry.name)
      found.kind = entry.kind
      return .signature(found)
    }
    return nil
  }

  private struct Entry {
    var bytes: [UInt8]
    var format: MediaFormat
    var name: String
    var kind: MediaKind?

    init(_ bytes: [UInt8], _ format: MediaFormat, _ name: String, _ kind: MediaKind? = nil) {
      self.bytes = bytes
      self.format = format
      self.name = name
      self.kind = kind
    }

    init(_ text: String, _ format: MediaFormat, _ name: String, _ kind: MediaKind? = nil) {
      self.init(Array(text.utf8), format, name, kind)
    }
  }

  private static let table: [Entry] = [
    Entry("%PDF-", .pdf, "a PDF document"),
    Entry([0x50, 0x4B, 3, 4], .zip, "a ZIP archive"),
    Entry([0x50, 0x4B, 5, 6], .zip, "an empty ZIP archive"),
    Entry([0x50, 0x4B, 7, 8], .zip, "a ZIP archive"),
    Entry("%!PS", .other, "a PostScript document"),
    Entry([0xC5, 0xD0, 0xD3, 0xC6], .other, "a PostScript document"),
    Entry([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .other, "an OLE2 document"),
    Entry("{\\rtf", .other, "an RTF document"),
    Entry("Rar!\u{1A}\u{7}", .other, "a RAR archive"),
    Entry([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .other, "a 7z archive"),
    Entry([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .other, "xz data"),
    Entry([0x28, 0xB5, 0x2F, 0xFD], .other, "Zstandard data"),
    Entry([0x7F, 0x45, 0x4C, 0x46], .other, "an ELF program"),
    Entry([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .other, "a Windows Media file"),
    Entry("FLV\u{1}", .other, "a Flash movie", .movie),
    Entry("caff", .other, "a Core Audio file", .audio),
    Entry("MThd", .other, "a MIDI file", .audio),
    Entry("MAC ", .other, "a Monkey's Audio file", .audio),
    Entry("wvpk", .other, "a WavPack file", .audio),
    Entry("ADIF", .other, "an ADIF file of AAC sound", .audio),
  ]
}
