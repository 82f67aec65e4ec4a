import AttachmentModel

/// The table from signatures to structure checks.
enum StructureChecks {
  /// Runs the check of a family of formats.
  ///
  /// - Parameters:
  ///   - family: What the signature says.
  ///   - reader: The file.
  ///   - inspection: The identification so far; the check corrects and completes it.
  static func run(
    for family: Signature.Family,
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    switch family {
    case .jpeg: JPEGStructure.inspect(&reader, into: &inspection)
    case .png: PNGStructure.inspect(&reader, into: &inspection)
    case .gif: GIFStructure.inspect(&reader, into: &inspection)
    case .webp: WebPStructure.inspect(&reader, into: &inspection)
    case .bmp: BMPStructure.inspect(&reader, into: &inspection)
    case .tiff: TIFFStructure.inspect(&reader, into: &inspection)
    case .ico: ICOStructure.inspect(&reader, into: &inspection)
    case .psd: PSDStructure.inspect(&reader, into: &inspection)
    case .jpeg2000: JPEG2000Structure.inspect(&reader, into: &inspection)
    case .jpegXL: JPEGXLStructure.inspect(&reader, into: &inspection)
    case .svg: SVGStructure.inspect(&reader, into: &inspection)
    case .heif: HEIFStructure.inspect(&reader, into: &inspection)
    case .isoMedia, .id3, .mpegAudio, .adts, .aiff, .wav, .avi, .mpegProgram, .mpegTransport,
      .amr, .ogg, .flac, .matroska:
      break
    case .gzip, .named: break
    }
  }

  /// Looks for a stream of MPEG audio or ADTS frames where no signature says what a file is.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: Becomes what was found.
  /// - Returns: Whether frames were found.
  static func findFrames(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) -> Bool {
    false
  }
}
