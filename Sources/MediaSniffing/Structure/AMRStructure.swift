package import AttachmentModel

/// The structure of an AMR or AMR-WB file: frames of 20 ms, each told by its first byte.
///
/// Source: RFC 4867, sections 5.1 and 5.3.
package enum AMRStructure {
  /// The beginning of a narrow-band file.
  static let narrowMagic = Array("#!AMR\n".utf8)
  /// The beginning of a wide-band file.
  static let wideMagic = Array("#!AMR-WB\n".utf8)

  /// Frame sizes with the first byte by frame type; 0 is a reserved type.
  private static let narrowSizes: [Int64] = [
    13, 14, 16, 18, 20, 21, 27, 32, 6, 7, 6, 6, 0, 0, 0, 1,
  ]
  private static let wideSizes: [Int64] = [
    18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1,
  ]

  /// Inspects a file that begins as an AMR file does.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, codec, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .amr
    inspection.kind = .audio
    inspection.contentName = nil
    let isWide = reader.matches(wideMagic, at: 0)
    inspection.audioCodec = isWide ? "amr-wb" : "amr"
    guard isWide || reader.matches(narrowMagic, at: 0) else {
      inspection.contentName = "multi-channel AMR audio"
      return
    }
    let sizes = isWide ? wideSizes : narrowSizes
    var offset = Int64(isWide ? wideMagic.count : narrowMagic.count)
    var frames: Int64 = 0
    while offset < reader.size, let first = reader.byte(at: offset) {
      let size = sizes[Int(first >> 3 & 0xF)]
      // The bits around type and quality are padding, and zero.
      guard size > 0, first & 0x83 == 0 else {
        inspection.findings.append(
          .init(.corrupt, "byte \(first) at \(offset) begins no frame")
        )
        break
      }
      guard size <= reader.size - offset else {
        inspection.findings.append(
          .init(
            .lastFrameCut,
            "the last frame, at byte \(offset), lacks "
              + ByteCount(size - (reader.size - offset)).exactly
          )
        )
        break
      }
      frames += 1
      offset += size
    }
    inspection.duration = AudioTime.duration(samples: frames, rate: 50)
    if frames == 0, inspection.findings.isEmpty {
      inspection.findings.append(.init(.noMedia, "no frame behind the header"))
    }
  }
}
