import TestSupport

/// Media too large to be held in memory as they are, made of fixtures.
enum LargeMedia: String, CaseIterable, Sendable {
  case picture = "picture.jpg"
  case cutPicture = "cut.jpg"
  case motionPhoto = "motion.jpg"
  case pictureWithScript = "script.jpg"
  case movie = "movie.mp4"
  case cutMovie = "cut.mp4"
  case movieWithIndexAtEnd = "late.mp4"
  case movieOfFragments = "fragments.mp4"
  /// Sound in a codec that has no name of its own: libmagic is asked, too.
  case sound = "sound.mp4"
  case graphic = "graphic.png"

  var name: String {
    rawValue
  }

  var bytes: [UInt8] {
    switch self {
    case .picture: Self.picture(of: 6_000_000)
    case .cutPicture: Array(Self.picture(of: 6_000_000).dropLast(100))
    case .motionPhoto: Self.picture(of: 1_000_000) + Self.movie(of: 5_000_000)
    case .pictureWithScript: Self.picture(of: 5_000_000) + Array("<?php phpinfo(); ?>".utf8)
    case .movie: Self.movie(of: 6_000_000)
    case .cutMovie: Array(Self.movie(of: 6_000_000).dropLast(1_000_000))
    case .movieWithIndexAtEnd:
      Self.growingMedia(of: "mp4-video/valid/h264-moov-last.mp4", by: 6_000_000)
    case .sound: Self.growingMedia(of: "other/damaged/opus-audio-only.mp4", by: 6_000_000)
    case .movieOfFragments: Self.fragments(60)
    case .graphic: Self.graphic(of: 5_000_000)
    }
  }

  /// Bytes with stuffed and restart markers among them, as an entropy coder writes them.
  private static func entropy(_ count: Int) -> [UInt8] {
    (0..<count).map { place in
      switch place % 997 {
      case 0: 0xFF
      case 1: place % 2 == 0 ? 0x00 : 0xD0
      default: UInt8(truncatingIfNeeded: place &* 2_654_435_761 >> 13) & 0x7F
      }
    }
  }

  private static func picture(of size: Int) -> [UInt8] {
    let picture = Fixture("jpeg/valid/baseline.jpg").bytes
    return picture.dropLast(2) + entropy(size) + picture.suffix(2)
  }

  /// A movie whose media box, which is its last, has grown.
  private static func movie(of size: Int) -> [UInt8] {
    growingMedia(of: "mp4-video/valid/h264-silent.mp4", by: size)
  }

  /// A movie whose media box has grown at its end, where no sample of the index lies.
  private static func growingMedia(of name: String, by count: Int) -> [UInt8] {
    var bytes = Fixture(name).bytes
    guard let type = bytes.indices.last(where: { bytes[$0...].starts(with: "mdat".utf8) }) else {
      return []
    }
    let start = type - 4
    let size = bytes[start..<type].reduce(0) { $0 << 8 | Int($1) }
    for (place, shift) in zip(start..<type, [24, 16, 8, 0]) {
      bytes[place] = UInt8(truncatingIfNeeded: (size + count) >> shift)
    }
    bytes.insert(contentsOf: entropy(count), at: start + size)
    return bytes
  }

  /// A movie with its fragments many times over.
  private static func fragments(_ count: Int) -> [UInt8] {
    let bytes = Fixture("mp4-video/valid/fragmented.mp4").bytes
    guard let type = bytes.indices.first(where: { bytes[$0...].starts(with: "moof".utf8) }) else {
      return []
    }
    return bytes + (1..<count).flatMap { _ in bytes[(type - 4)...] }
  }

  /// A picture with a comment as large as that, which is no scan.
  private static func graphic(of size: Int) -> [UInt8] {
    let picture = Fixture("png/valid/rgb.png").bytes
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
    // The checksum of a chunk that no viewer needs may be wrong.
    let comment: [UInt8] = length + Array("tEXt".utf8) + entropy(size) + [0, 0, 0, 0]
    return Array(picture[..<33]) + comment + Array(picture[33...])
  }
}
