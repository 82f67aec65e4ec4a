import AttachmentModel

/// Places where a file may be cut and is whole again, told by the bytes around them.
enum Seam {
  /// Whether one piece of a stream ends here and the next begins, or a picture is already over.
  ///
  /// - Parameters:
  ///   - offset: Where the file is cut.
  ///   - bytes: The whole file.
  ///   - inspection: What was made of the part in front of the cut.
  /// - Returns: Whether nothing in the file can tell that more was to come.
  static func stands(at offset: Int, in bytes: [UInt8], _ inspection: MediaInspection) -> Bool {
    let kept = bytes[..<offset]
    let rest = bytes[offset...]
    switch inspection.format {
    case .mp3, .aacADTS:
      // Sync bits, version, layer and the checksum's bit stay the same through a stream.
      return rest.starts(with: [0xFF]) && rest.dropFirst().first == firstFrame(in: bytes)
    case .amr:
      // A frame a byte that tells its type; in a stream of one type they are equally far apart.
      let frame = amrFrame(bytes[6] >> 3 & 0xF)
      return frame > 0 && (offset - 6) % frame == 0
    // A packet of a program stream begins with a start code; nothing counts them.
    case .mpeg: return rest.starts(with: [0, 0, 1]) && rest.dropFirst(3).first ?? 0 >= 0xB9
    case .mp4Video, .m4aAAC, .m4aALAC, .mov, .threeGP:
      return ["moof", "styp", "sidx", "mfra"].contains { rest.dropFirst(4).starts(with: $0.utf8) }
    // Fewer than eight bytes behind a picture's end are a writer's slip.
    case .jpeg: return ends(kept, with: [0xFF, 0xD9])
    case .gif: return ends(kept, with: [0, 0x3B])
    case .png, .apng: return ends(kept, with: Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
    default: return false
    }
  }

  private static func ends(_ bytes: ArraySlice<UInt8>, with mark: [UInt8]) -> Bool {
    (0..<8).contains { bytes.dropLast($0).suffix(mark.count).elementsEqual(mark) }
  }

  /// The second byte of the first frame, behind an ID3v2 tag if there is one.
  private static func firstFrame(in bytes: [UInt8]) -> UInt8? {
    var start = 0
    if bytes.starts(with: "ID3".utf8) {
      start = 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    }
    return bytes.dropFirst(start + 1).first
  }

  /// Bytes a frame of narrow-band AMR by its type (RFC 4867, section 5.3).
  private static func amrFrame(_ type: UInt8) -> Int {
    [13, 14, 16, 18, 20, 21, 27, 32].dropFirst(Int(type)).first ?? 0
  }
}
