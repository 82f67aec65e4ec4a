import AttachmentModel
import MediaSniffing

/// A structure under test.
enum MediaStructure: String, CaseIterable, Sendable {
  case isoMedia
  case mpegAudio
  case adts
  case wav
  case aiff
  case avi
  case mpegSystem
  case amr
  case ogg
  case flac
  case matroska

  /// What the structure makes of some bytes.
  func inspect(_ bytes: [UInt8]) -> MediaInspection {
    var reader = ByteReader(bytes)
    var inspection = MediaInspection(format: .other, size: ByteCount(reader.size))
    switch self {
    case .isoMedia: ISOMediaStructure.inspect(&reader, into: &inspection)
    case .mpegAudio: MPEGAudioStructure.inspect(&reader, into: &inspection)
    case .adts: ADTSStructure.inspect(&reader, into: &inspection)
    case .wav: WAVStructure.inspect(&reader, into: &inspection)
    case .aiff: AIFFStructure.inspect(&reader, into: &inspection)
    case .avi: AVIStructure.inspect(&reader, into: &inspection)
    case .mpegSystem: MPEGSystemStructure.inspect(&reader, into: &inspection)
    case .amr: AMRStructure.inspect(&reader, into: &inspection)
    case .ogg: OggStructure.inspect(&reader, into: &inspection)
    case .flac: FLACStructure.inspect(&reader, into: &inspection)
    case .matroska: MatroskaStructure.inspect(&reader, into: &inspection)
    }
    return inspection
  }

  /// A small whole file.
  var sample: [UInt8] {
    switch self {
    case .isoMedia: MovieBuilder().bytes
    case .mpegAudio: AudioFrameBuilder.mp3(frames: 12, promise: 11)
    case .adts: AudioFrameBuilder.adts(frames: 12)
    case .wav: ChunkBuilder.wav()
    case .aiff: ChunkBuilder.aiff()
    case .avi: ChunkBuilder.avi()
    case .mpegSystem: StreamBuilder.program()
    case .amr: StreamBuilder.amr(frames: 10)
    case .ogg: StreamBuilder.ogg()
    case .flac: StreamBuilder.flac()
    case .matroska: StreamBuilder.matroska()
    }
  }
}

extension MediaInspection {
  /// The kinds of the findings, in order.
  var kinds: [StructureFinding.Kind] {
    findings.map(\.kind)
  }

  /// Whether the file is said to be cut or damaged.
  var isDamaged: Bool {
    has(.truncated) || has(.corrupt) || has(.noMedia) || has(.lastFrameCut)
  }
}
