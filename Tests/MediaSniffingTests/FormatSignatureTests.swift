import AttachmentModel
import MediaSniffing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FormatSignatureTests {
  typealias Recognition = FormatSignature.Recognition

  static func brand(_ major: String) -> [UInt8] {
    box("ftyp", Array(major.utf8) + big(0, 4) + "isom")
  }

  static let settled: [(String, [UInt8], MediaFormat)] = [
    ("QuickTime", brand("qt  "), .mov), ("3GPP", brand("3gp5"), .threeGP),
    ("3GPP2", brand("3g2a"), .threeGP), ("KDDI", brand("kddi"), .threeGP),
    ("Canon", brand("crx "), .other),
    ("WAV", riff("WAVE", []), .wav), ("AVI", riff("AVI ", []), .avi),
    ("RIFX", Array("RIFX\0\0\0\0WAVE".utf8), .wav),
    ("RIFF", riff("ACON", []), .other), ("AIFF", Array("FORM\0\0\0\0AIFF".utf8), .aiff),
    ("AIFC", Array("FORM\0\0\0\0AIFC".utf8), .aiff), ("FLAC", Array("fLaC".utf8), .flac),
    ("Ogg", Array("OggS".utf8), .ogg), ("AMR", Array("#!AMR\n".utf8), .amr),
    ("wide AMR", Array("#!AMR-WB\n".utf8), .amr),
    ("WebM", [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + "webm", .webm),
    ("Matroska", [0x1A, 0x45, 0xDF, 0xA3, 0x8B, 0x42, 0x82, 0x88] + "matroska", .other),
    ("program stream", [0, 0, 1, 0xBA, 0x44], .mpeg), ("video", [0, 0, 1, 0xB3, 0x10], .mpeg),
    ("transport stream", (0..<600).map { $0 % 188 == 0 ? 0x47 : 0 }, .mpeg),
    ("PDF", Array("%PDF-1.7".utf8), .pdf), ("ZIP", Array("PK\u{3}\u{4}".utf8), .zip),
    ("late PDF", [UInt8](repeating: 1, count: 900) + "%PDF-1.7", .pdf),
    ("PostScript", Array("%!PS-Adobe".utf8), .other),
    ("OLE2", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .other),
    ("ADIF", Array("ADIF".utf8), .other),
    ("HTML", Array("<!DOCTYPE HTML><p>".utf8), .html),
    ("HTML behind space", Array("\u{FEFF}\n\n  <html lang=en>".utf8), .html),
    ("HTML behind a comment", Array("<!-- a --> <div>".utf8), .html),
    ("XHTML", Array("<?xml version='1.0'?><!DOCTYPE html><html>".utf8), .html),
    ("HTML in UTF-16", [0xFF, 0xFE] + "<html>".utf8.flatMap { [$0, 0] }, .html),
    ("SVG", Array("<svg xmlns='http://www.w3.org/2000/svg'>".utf8), .svg),
    (
      "SVG in XML", Array("<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a 'b'>]>\n<svg>".utf8),
      .svg
    ),
    ("prefixed SVG", Array("<?xml version='1.0'?><svg:svg>".utf8), .svg),
    ("XML", Array("<?xml version='1.0'?><note/>".utf8), .other),
    ("JSON", Array("{ \"a\": 1 }".utf8), .other), ("PHP", Array("<?php echo 1;".utf8), .other),
    ("WebP with SVG inside", riff("WEBP", riffChunk("XMP ", Array("<svg>".utf8))), .webp),
  ]

  @Test(arguments: settled)
  func `a signature settles the format`(name: String, bytes: [UInt8], format: MediaFormat) {
    guard case .recognized(let found, _, let settles) = recognize(bytes) else {
      Issue.record("\(name) is not recognised")
      return
    }
    #expect(found == format)
    #expect(settles)
  }

  @Test(arguments: ["isom", "mp41", "mp42", "avc1", "dash", "M4V ", "M4A ", "f4v ", "MSNV", "abcd"])
  func `tracks decide what MPEG-4 is`(brand: String) {
    guard case .recognized(let format, _, let settles) = recognize(Self.brand(brand)) else {
      Issue.record("\(brand) is not recognised")
      return
    }
    #expect(format == (brand == "M4A " ? .m4aAAC : .mp4Video))
    #expect(!settles)
  }

  @Test(arguments: ["moov", "mdat", "wide", "free", "skip"])
  func `a bare box is old QuickTime`(type: String) {
    guard case .recognized(.mov, _, settles: false) = recognize(box(type, [0, 0, 0, 0])) else {
      Issue.record("\(type) is not recognised")
      return
    }
  }

  @Test(
    arguments: [
      (0xFFFB_9000, 417, MediaFormat.mp3), (0xFFF3_9000, 261, .mp3), (0xFFE3_1800, 72, .mp3),
      (0xFFFD_8004, 417, .other), (0xFFFF_1800, 48, .other),
    ]
  )
  func `MPEG audio is told by layer and by where the next frames stand`(
    header: Int,
    length: Int,
    format: MediaFormat
  ) {
    let frame = big(header, 4) + [UInt8](repeating: 0, count: length - 4)
    let stream = frame + frame + frame
    guard case .recognized(format, _, settles: true) = recognize(stream) else {
      Issue.record("recognised as \(recognize(stream))")
      return
    }
    #expect(recognize(frame.dropLast() + frame + frame) == .unknown || frame.count < 100)
  }

  @Test func `ADTS is told from MP3, also behind a tag`() {
    let frame: [UInt8] =
      [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 1, count: 9)
    let stream = frame + frame + frame
    #expect(isFormat(.aacADTS, stream))
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 5] + [0, 0, 0, 0, 0]
    #expect(isFormat(.aacADTS, tag + stream))
    #expect(isFormat(.flac, tag + "fLaC"))
    #expect(isFormat(.mp3, tag + [0, 0, 0, 0, 0, 0, 0, 0]))
  }

  @Test(arguments: [[], [0xFF], [0xFF, 0xD8], [0x00, 0x00, 0x01], Array("RIFF".utf8), [1, 2, 3]])
  func `a short prefix is undecided until the file ends`(bytes: [UInt8]) {
    #expect(FormatSignature.recognize(bytes, isWhole: false) == .undecided)
    #expect(FormatSignature.recognize(bytes, isWhole: true) == .unknown)
  }

  @Test(arguments: [
    "plain text", "<notatag>", "{ not json", "<b", "BM is a city", "MM", "II*", "The free world",
  ])
  func `what only looks like a format is unknown`(text: String) {
    #expect(FormatSignature.recognize(Array(text.utf8), isWhole: true) == .unknown)
  }

  @Test func `only the first bytes count`() {
    let long = [UInt8](repeating: 1, count: FormatSignature.longestPrefix) + "%PDF-"
    #expect(FormatSignature.recognize(long, isWhole: true) == .unknown)
  }

  private func recognize(_ bytes: [UInt8]) -> Recognition {
    FormatSignature.recognize(bytes, isWhole: true)
  }

  private func isFormat(_ format: MediaFormat, _ bytes: [UInt8]) -> Bool {
    guard case .recognized(format, _, _) = recognize(bytes) else { return false }
    return true
  }
}
