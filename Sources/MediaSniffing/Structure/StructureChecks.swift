package import AttachmentModel

/// The table from signatures to structure checks.
package enum StructureChecks {
  /// Runs the check of a family of formats.
  ///
  /// - Parameters:
  ///   - family: What the signature says.
  ///   - reader: The file.
  ///   - inspection: The identification so far; the check corrects and completes it.
  package static func run(
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
    case .isoMedia: ISOMediaStructure.inspect(&reader, into: &inspection)
    case .id3, .mpegAudio: MPEGAudioStructure.inspect(&reader, into: &inspection)
    case .adts: ADTSStructure.inspect(&reader, into: &inspection)
    case .aiff: AIFFStructure.inspect(&reader, into: &inspection)
    case .wav: WAVStructure.inspect(&reader, into: &inspection)
    case .avi: AVIStructure.inspect(&reader, into: &inspection)
    case .mpegProgram: MPEGSystemStructure.inspect(&reader, into: &inspection)
    case .amr: AMRStructure.inspect(&reader, into: &inspection)
    case .ogg: OggStructure.inspect(&reader, into: &inspection)
    case .flac: FLACStructure.inspect(&reader, into: &inspection)
    case .matroska: MatroskaStructure.inspect(&reader, into: &inspection)
    // Named by their signatures alone; no policy accepts them.
    case .mpegTransport, .gzip, .named: break
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
    guard
      MPEGAudioStructure.find(&reader, from: 0) != nil
        || ADTSStructure.find(&reader, from: 0) != nil
    else { return false }
    // It takes the earlier of the two kinds of stream.
    MPEGAudioStructure.inspect(&reader, into: &inspection)
    return true
  }
}
