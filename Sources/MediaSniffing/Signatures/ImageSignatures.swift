import AttachmentModel

/// Signatures of pictures that are no RIFF or ISO container.
enum ImageSignatures {
  static func match(_ prefix: FilePrefix) -> SignatureMatch? {
    switch prefix[0] {
    case 0xFF: jpegFamily(prefix)
    case 0x47 where prefix.has("GIF87a") || prefix.has("GIF89a"):
      .signature(Signature(format: .gif, name: "a GIF picture", family: .gif))
    case 0x42 where prefix.has("BM"): bitmap(prefix)
    case 0x49, 0x4D: tiff(prefix)
    case 0x38 where prefix.has("8BPS"):
      .signature(Signature(format: .psd, name: "a Photoshop document", family: .psd))
    case 0x00: zeroFirst(prefix)
    default: prefix.has("PNG", at: 1) ? png(prefix) : nil
    }
  }

  private static func jpegFamily(_ prefix: FilePrefix) -> SignatureMatch? {
    switch prefix[1] {
    case 0xD8:
      guard let third = prefix[2] else { return prefix.isWhole ? nil : .undecided }
      // A damaged first segment still names itself.
      let looksLikeJPEG = ["JFIF", "Exif", "Adobe", "Photoshop 3.0"] as [StaticString]
      guard
        third == 0xFF || looksLikeJPEG.contains(where: { prefix.holds($0, within: 64) })
          || prefix.bytes.prefix(64).firstIndex(of: [0xFF, 0xDB, 0], ignoringCase: false) != nil
      else { return nil }
      return .signature(Signature(format: .jpeg, name: "a JPEG picture", family: .jpeg))
    case 0x4F where prefix.has([0xFF, 0x51], at: 2):
      return .signature(
        Signature(format: .jp2, name: "a JPEG 2000 codestream", family: .jpeg2000)
      )
    case 0x0A:
      return .signature(
        Signature(format: .jxl, name: "a JPEG XL picture", family: .jpegXL, settles: false)
      )
    default:
      return nil
    }
  }

  /// PNG, also where a transfer as text has changed line ends or cleared the eighth bit.
  private static func png(_ prefix: FilePrefix) -> SignatureMatch? {
    let still = Signature(format: .png, name: "a PNG picture", family: .png)
    guard prefix.has(PNGStructure.signature) else {
      return prefix.holds("IHDR", within: 32) ? .signature(still) : nil
    }
    var offset = 8
    while let length = prefix.bigEndian(at: offset, count: 4),
      let type = prefix.fourCharacters(at: offset + 4)
    {
      if type == "acTL" {
        return .signature(Signature(format: .apng, name: "an animated PNG", family: .png))
      }
      if type == "IDAT" || length > Int32.max { return .signature(still) }
      offset += 12 + Int(length)
    }
    var unsettled = still
    unsettled.settles = prefix.isWhole
    return .signature(unsettled)
  }

  private static func bitmap(_ prefix: FilePrefix) -> SignatureMatch? {
    guard let header = prefix.littleEndian(at: 14, count: 4) else {
      return prefix.isWhole ? nil : .undecided
    }
    guard BMPStructure.headerSizes.contains(Int64(header)) else { return nil }
    return .signature(Signature(format: .bmp, name: "a Windows bitmap", family: .bmp))
  }

  private static func tiff(_ prefix: FilePrefix) -> SignatureMatch? {
    guard
      prefix.has([0x49, 0x49, 0x2A, 0]) || prefix.has([0x4D, 0x4D, 0, 0x2A])
        || prefix.has([0x49, 0x49, 0x2B, 0]) || prefix.has([0x4D, 0x4D, 0, 0x2B])
    else { return nil }
    return .signature(Signature(format: .tiff, name: "a TIFF picture", family: .tiff))
  }

  private static func zeroFirst(_ prefix: FilePrefix) -> SignatureMatch? {
    if prefix.has(JPEG2000Structure.signatureBox) {
      return .signature(
        Signature(format: .jp2, name: "a JPEG 2000 picture", family: .jpeg2000)
      )
    }
    if prefix.has(JPEGXLStructure.signatureBox) {
      return .signature(Signature(format: .jxl, name: "a JPEG XL picture", family: .jpegXL))
    }
    let isIcon = prefix.has([0, 0, 1, 0])
    guard isIcon || prefix.has([0, 0, 2, 0]) else { return nil }
    guard let count = prefix.littleEndian(at: 4, count: 2),
      let size = prefix.littleEndian(at: 14, count: 4),
      let offset = prefix.littleEndian(at: 18, count: 4)
    else { return prefix.isWhole ? nil : .undecided }
    // Four bytes, three of them zero, are little; the first entry has to make sense too.
    guard count > 0, count <= 1_024, prefix[9] == 0, size >= 16, offset >= 6 + 16 * count
    else { return nil }
    return .signature(
      Signature(
        format: .ico,
        name: isIcon ? "a Windows icon" : "a Windows cursor",
        family: .ico
      )
    )
  }
}

extension FilePrefix {
  /// Whether these characters stand somewhere in the first `limit` bytes.
  func holds(_ text: StaticString, within limit: Int) -> Bool {
    firstIndex(of: text, within: limit) != nil
  }
}
