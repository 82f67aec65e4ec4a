import AttachmentModel

/// How a track's samples are coded: the first entry of its `stsd` box.
struct ISOMediaSampleEntry {
  /// The codec in lower case.
  var codec = ""
  /// The entry's name, or the name from before the encryption.
  var type: FourCharacterCode
  /// Pixels across, in a video entry.
  var width = 0
  /// Pixels down, in a video entry.
  var height = 0
  /// Whether the samples are encrypted.
  var isEncrypted = false
  /// What is wrong with the entry.
  var contradiction: String?

  /// The first entry of a sample description, or nothing where there is none.
  ///
  /// - Parameters:
  ///   - box: The `stsd` box.
  ///   - isVideo: Whether its entries are visual ones; otherwise they are audio.
  ///   - reader: The file.
  init?(_ box: ISOMediaBox, isVideo: Bool, _ reader: inout ByteReader) {
    guard let count = reader.bigEndian(at: box.content + 4, count: 4), count > 0 else { return nil }
    var walk = ISOMediaBoxWalk(inside: box, skipping: 8)
    guard let entry = walk.next(&reader) else { return nil }
    type = entry.type

    var skip: Int64 = 78
    if isVideo {
      width = Int(reader.bigEndian(at: entry.content + 24, count: 2) ?? 0)
      height = Int(reader.bigEndian(at: entry.content + 26, count: 2) ?? 0)
    } else {
      skip = Self.audioFieldSize(entry, descriptionOf: box, &reader)
    }

    var configuration = Configuration()
    configuration.read(ISOMediaBoxWalk(inside: entry, skipping: skip), &reader)
    isEncrypted = ["encv", "enca", "drms", "drmi"].contains(entry.type)
    if isEncrypted { type = configuration.originalType ?? entry.type }
    if let required = Self.requiredConfiguration(type), !configuration.found.contains(required) {
      contradiction = "sample entry \(entry.name) has no '\(required.text)' box"
    }
    let descriptors = configuration.descriptors
    codec =
      isVideo
      ? ISOMediaCodecs.video(type, objectType: descriptors?.objectType)
      : ISOMediaCodecs.audio(
        type,
        objectType: descriptors?.objectType,
        audioObjectType: descriptors?.audioObjectType
      )
  }

  /// How many bytes of an audio entry come before its boxes.
  ///
  /// QuickTime knows three versions; version 1 of ISO/IEC 14496-12 shares QuickTime's number
  /// but not its fields, and is told by the version of the box around it.
  private static func audioFieldSize(
    _ entry: ISOMediaBox,
    descriptionOf box: ISOMediaBox,
    _ reader: inout ByteReader
  ) -> Int64 {
    let isISOVersion1 = reader.byte(at: box.content) == 1
    switch reader.bigEndian(at: entry.content + 8, count: 2) {
    case 1 where !isISOVersion1: return 44
    case 2: return 64
    default: return 28
    }
  }

  /// The box without which a decoder cannot start.
  private static func requiredConfiguration(_ type: FourCharacterCode) -> FourCharacterCode? {
    switch type {
    case "avc1", "avc3": "avcC"
    case "hvc1", "hev1": "hvcC"
    default: nil
    }
  }
}

/// The boxes behind a sample entry's fields.
private struct Configuration {
  var found: Set<FourCharacterCode> = []
  var originalType: FourCharacterCode?
  var descriptors: ISOMediaDescriptors?

  /// Reads boxes, and once those inside `wave`, where QuickTime keeps them for sound.
  mutating func read(_ boxes: ISOMediaBoxWalk, _ reader: inout ByteReader, isNested: Bool = false) {
    var walk = boxes
    // An entry has a handful of boxes.
    for _ in 0..<64 {
      guard let box = walk.next(&reader) else { return }
      found.insert(box.type)
      switch box.type {
      case "esds": descriptors = ISOMediaDescriptors(box, &reader)
      case "wave" where !isNested: read(ISOMediaBoxWalk(inside: box), &reader, isNested: true)
      case "sinf":
        var protection = ISOMediaBoxWalk(inside: box)
        for _ in 0..<16 {
          guard let child = protection.next(&reader) else { break }
          if child.type == "frma", child.contentSize >= 4 {
            originalType = FourCharacterCode(&reader, at: child.content)
          }
        }
      default: break
      }
    }
  }
}
