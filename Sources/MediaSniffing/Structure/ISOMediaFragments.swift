import AttachmentModel

/// The fragments of a movie (`moof`), added up as they come by.
///
/// Source: ISO/IEC 14496-12, 8.8.
struct ISOMediaFragments {
  /// What the fragments of one track add up to.
  struct Totals {
    var samples: Int64 = 0
    var duration: UInt64 = 0
  }

  /// How many `moof` boxes were seen.
  private(set) var count = 0
  private(set) var totals: [UInt32: Totals] = [:]
  /// The first byte behind the last byte of any sample.
  private(set) var end: Int64 = 0
  /// The first contradiction.
  private(set) var contradiction: String?

  /// Reads one fragment.
  ///
  /// - Parameters:
  ///   - box: The `moof` box.
  ///   - movie: The movie whose defaults hold, if it came before.
  ///   - reader: The file.
  mutating func read(_ box: ISOMediaBox, of movie: ISOMediaMovie?, _ reader: inout ByteReader) {
    count += 1
    guard let movie else {
      note("fragment \(box.name) comes before any 'moov' box")
      return
    }
    // Without a base of its own, a track's data follow those of the track before it.
    var implicitBase = box.start
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      guard child.type == "traf" else { continue }
      readTrack(child, fragment: box, movie: movie, implicitBase: &implicitBase, &reader)
    }
    if let fault = walk.fault { note(fault.detail) }
  }

  private mutating func note(_ detail: @autoclosure () -> String) {
    contradiction = contradiction ?? detail()
  }

  private mutating func readTrack(
    _ box: ISOMediaBox,
    fragment: ISOMediaBox,
    movie: ISOMediaMovie,
    implicitBase: inout Int64,
    _ reader: inout ByteReader
  ) {
    var run: ISOMediaTrackRun?
    var walk = ISOMediaBoxWalk(inside: box)
    while let child = walk.next(&reader) {
      switch child.type {
      case "tfhd":
        guard let id = reader.bigEndian(at: child.content + 4, count: 4) else { return }
        guard movie.tracks.contains(where: { $0.id == UInt32(id) }) else {
          note("fragment \(fragment.name) belongs to track \(id), which there is not")
          return
        }
        run = ISOMediaTrackRun(
          header: child,
          track: UInt32(id),
          defaults: movie.fragmentDefaults[UInt32(id)],
          fragmentStart: fragment.start,
          implicitBase: implicitBase,
          &reader
        )
        if run == nil { note("box \(child.name) is too short or out of range") }
      case "trun":
        guard run != nil else {
          note("box \(child.name) comes before the header of its track")
          return
        }
        if let problem = run?.add(child, &reader) { note(problem) }
      default: break
      }
    }
    if let fault = walk.fault { note(fault.detail) }
    guard let run else { return }
    implicitBase = run.offset
    end = max(end, run.end)
    var sums = totals[run.track] ?? Totals()
    sums.samples = sums.samples.addingReportingOverflow(run.samples).partialValue
    let (duration, overflow) = sums.duration.addingReportingOverflow(run.duration)
    sums.duration = overflow ? sums.duration : duration
    totals[run.track] = sums
  }
}
