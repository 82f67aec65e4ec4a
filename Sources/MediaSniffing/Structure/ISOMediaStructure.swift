package import AttachmentModel

/// The structure of an ISO base media file: MP4, M4A, QuickTime, 3GP.
///
/// Boxes, tracks, sample tables and fragments are held against each other and against the end of
/// the file. Edit lists, hint tracks and everything else that does not decide whether the media
/// are there are passed over. Source: ISO/IEC 14496-12.
package enum ISOMediaStructure {
  /// Inspects a file whose beginning looks like ISO base media.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, tracks, codecs, times and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    let boxes = ISOMediaTopLevel(&reader)
    let tracks = ISOMediaTrackSelection(boxes.movie)
    ISOMediaFormat(boxes, tracks).fill(&inspection)
    fill(&inspection, from: boxes, tracks)
    inspection.findings += boxes.findings
    guard let movie = boxes.movie else { return }

    if movie.box.end <= reader.size {
      inspection.findings += movie.faults
      judge(tracks, of: movie, fragments: boxes.fragments, size: reader.size, &inspection)
    }
    for track in tracks.all {
      guard let entry = track.entry else { continue }
      if entry.isEncrypted {
        inspection.findings.append(.init(.encrypted, "track \(track.id) is encrypted"))
      }
      if entry.type == "hev1" || entry.type == "dvhe" {
        inspection.findings.append(
          .init(.hev1, "the sample entry of track \(track.id) is '\(entry.type.text)'")
        )
      }
    }
    if let location = movie.location {
      inspection.findings.append(.init(.metadataLocation, location))
    }
    if let art = movie.coverArt, art.upperBound <= reader.size { inspection.coverArt = art }
  }

  private static func fill(
    _ inspection: inout MediaInspection,
    from boxes: ISOMediaTopLevel,
    _ tracks: ISOMediaTrackSelection
  ) {
    inspection.videoCodec = tracks.video?.entry?.codec
    inspection.audioCodec = tracks.audio?.entry?.codec
    if let video = tracks.video {
      if let entry = video.entry, entry.width > 0, entry.height > 0 {
        inspection.width = entry.width
        inspection.height = entry.height
      }
      inspection.orientation = video.orientation
      let samples = video.extent.samples
        .addingReportingOverflow(boxes.fragments.totals[video.id]?.samples ?? 0).partialValue
      if samples > 0 { inspection.frames = Int(samples) }
    }
    guard let movie = boxes.movie else { return }
    let lengths = tracks.all.compactMap { track in
      let fragments = boxes.fragments.totals[track.id]?.duration ?? 0
      let units = (track.duration ?? 0).addingReportingOverflow(fragments).partialValue
      return units > 0 ? ISOMediaTimes.duration(units, timescale: track.timescale) : nil
    }
    inspection.duration =
      lengths.max()
      ?? [movie.fragmentDuration, movie.duration].lazy
      .compactMap { $0 == 0 ? nil : ISOMediaTimes.duration($0, timescale: movie.timescale) }
      .first
  }

  /// Whether there are samples, and whether they lie in the file.
  private static func judge(
    _ tracks: ISOMediaTrackSelection,
    of movie: ISOMediaMovie,
    fragments: ISOMediaFragments,
    size: Int64,
    _ inspection: inout MediaInspection
  ) {
    guard !tracks.all.isEmpty else {
      inspection.findings.append(
        .init(.noMedia, "none of \(movie.tracks.count) tracks is video or audio with a codec")
      )
      return
    }
    for track in tracks.all
    where track.extent.end >= size && track.extent.chunksBeyondEnd > 0
      && track.extent.contradiction == nil
    {
      inspection.findings.append(
        .init(
          .truncated,
          "the samples of track \(track.id) end at byte \(track.extent.end), "
            + "\(ByteCount(track.extent.end - size).exactly) beyond the end; "
            + "\(track.extent.chunksBeyondEnd) of \(track.extent.chunks) chunks are not all there"
        )
      )
    }
    if let contradiction = fragments.contradiction {
      inspection.findings.append(.init(.corrupt, contradiction))
    } else if fragments.end > size {
      inspection.findings.append(
        .init(
          .truncated,
          "the samples of the fragments end at byte \(fragments.end), "
            + "\(ByteCount(fragments.end - size).exactly) beyond the end"
        )
      )
    }
    let samples = tracks.all.contains { $0.extent.samples > 0 || $0.extent.chunksBeyondEnd > 0 }
    guard !samples, fragments.totals.values.allSatisfy({ $0.samples == 0 }) else { return }
    if movie.isFragmented {
      inspection.findings.append(
        .init(.truncated, "no samples: the file is the initialisation of a fragmented movie")
      )
    } else if movie.faults.isEmpty {
      inspection.findings.append(.init(.noMedia, "no track has a sample"))
    }
  }
}

/// The tracks that decide what a movie is.
struct ISOMediaTrackSelection {
  /// Video and audio tracks with a known sample description, in file order.
  let all: [ISOMediaTrack]

  /// The tracks of a movie, without pictures that merely go with chapters or the sound.
  init(_ movie: ISOMediaMovie?) {
    let tracks = movie?.tracks ?? []
    let chapters = Set(tracks.flatMap(\.chapterTracks))
    all = tracks.filter { track in
      guard track.isVideo || track.isAudio, track.entry != nil else { return false }
      return !(track.isStillPicture && (chapters.contains(track.id) || !track.isEnabled))
    }
  }

  /// The first video track.
  var video: ISOMediaTrack? {
    all.first(where: \.isVideo)
  }

  /// The first audio track.
  var audio: ISOMediaTrack? {
    all.first(where: \.isAudio)
  }
}
