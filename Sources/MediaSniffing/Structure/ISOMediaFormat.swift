import AttachmentModel

/// Which format a file is, by its brand and its tracks.
struct ISOMediaFormat {
  private let brand: FourCharacterCode?
  private let isQuickTime: Bool
  private let tracks: ISOMediaTrackSelection

  /// Decides from the top level and the tracks.
  init(_ boxes: ISOMediaTopLevel, _ tracks: ISOMediaTrackSelection) {
    brand = boxes.majorBrand
    self.tracks = tracks
    isQuickTime =
      brand == "qt"
      || (brand == nil
        && (boxes.hasQuickTimeBoxes || boxes.movie?.tracks.contains(where: \.isQuickTime) == true))
  }

  /// Whether the brand is one of 3GPP's or 3GPP2's (3GPP TS 26.244; 3GPP2 C.S0050; KDDI's own).
  private var isThreeGP: Bool {
    guard let brand else { return false }
    let name = brand.text
    return name.hasPrefix("3g") || name.hasPrefix("kddi")
  }

  /// Writes format, kind and name down.
  func fill(_ inspection: inout MediaInspection) {
    inspection.contentName = nil
    if isQuickTime || isThreeGP {
      inspection.isMPEG4 = false
      inspection.format = isQuickTime ? .mov : .threeGP
      inspection.kind = tracks.video == nil && tracks.audio != nil ? .audio : .movie
      return
    }
    inspection.isMPEG4 = true
    inspection.format = mpeg4Format
    inspection.kind = inspection.format.kind
    if inspection.format == .other {
      inspection.kind = .audio
      let codec = ISOMediaCodecs.title(tracks.audio?.entry?.codec ?? "no codec")
      inspection.contentName = "MPEG-4 audio with \(codec)"
    }
  }

  private var mpeg4Format: MediaFormat {
    if tracks.video != nil { return .mp4Video }
    if let audio = tracks.audio?.entry?.codec {
      switch audio {
      case "aac": return .m4aAAC
      case "alac": return .m4aALAC
      default: return .other
      }
    }
    // Nothing but the brand tells what the lost part would have held.
    let audioBrands: [FourCharacterCode] = ["M4A", "M4B", "M4P"]
    return brand.map(audioBrands.contains) == true ? .m4aAAC : .mp4Video
  }
}
