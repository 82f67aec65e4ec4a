/// Walks through a stream of audio frames from its first frame to its end.
///
/// What is no frame is skipped up to a bound, as players do; a run of frames that agree with each
/// other is what tells a stream from chance. The walk only goes forward and never looks at a byte
/// more than a few times.
struct AudioFrameWalk<Header: AudioFrameHeader> {
  /// Where the first frame begins.
  let start: Int64
  /// The first frame's header.
  let first: Header
  /// How many whole frames there are.
  private(set) var frames: Int64 = 0
  /// How many samples a channel they decode to.
  private(set) var samples: Int64 = 0
  /// Their bytes.
  private(set) var bytes: Int64 = 0
  /// Bytes between frames that belong to none.
  private(set) var junk: Int64 = 0
  /// Where the first of them lie.
  private(set) var firstJunk: Int64?
  /// Where the walk ended: the first byte behind the last whole frame.
  private(set) var end: Int64
  /// How many bytes the last frame lacks, where it is cut.
  private(set) var missingBytes: Int64?

  /// How far the next frame is looked for.
  ///
  /// Players search further in front of the first frame than this, but nothing that is made to be
  /// played needs it.
  static var searchLimit: Int64 { 64 * 1_024 }

  /// A walk that begins at a frame.
  init(start: Int64, first: Header) {
    self.start = start
    self.first = first
    end = start
  }

  /// Looks for the first frame of a stream.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - from: Where to begin.
  ///   - audioEnd: Where the audio ends and tags begin.
  /// - Returns: A walk that stands before that frame; nothing unless three frames follow each
  ///   other there, or two up to the very end.
  static func find(_ reader: inout ByteReader, from: Int64, audioEnd: Int64) -> AudioFrameWalk? {
    search(&reader, from: from, audioEnd: audioEnd, minimum: 3, like: nil)
      .map { AudioFrameWalk(start: $0.offset, first: $0.header) }
  }

  /// Goes to the end of the stream.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - audioEnd: Where the audio ends and tags begin.
  mutating func run(_ reader: inout ByteReader, audioEnd: Int64) {
    var offset = start
    while offset < audioEnd {
      if let header = Header(&reader, at: offset), header.continues(first) {
        guard header.length <= audioEnd - offset else {
          missingBytes = header.length - (audioEnd - offset)
          return
        }
        frames += 1
        samples += header.samples
        bytes += header.length
        offset += header.length
        end = offset
      } else if let tag = ID3Tag(&reader, at: offset), tag.end <= reader.size {
        offset = tag.end
      } else {
        let next = Self.search(
          &reader,
          from: offset + 1,
          audioEnd: audioEnd,
          minimum: 2,
          like: first
        )
        guard let next else { return }
        firstJunk = firstJunk ?? offset
        junk += next.offset - offset
        offset = next.offset
      }
    }
    if offset > end, offset == audioEnd { end = offset }
  }

  private static func search(
    _ reader: inout ByteReader,
    from: Int64,
    audioEnd: Int64,
    minimum: Int,
    like model: Header?
  ) -> (offset: Int64, header: Header)? {
    var offset = from
    let limit = min(audioEnd, from + searchLimit)
    while offset < limit {
      let part = reader.prefix(at: offset, upTo: Int(min(limit - offset, 4_096)))
      guard !part.isEmpty else { return nil }
      for (index, byte) in part.enumerated() where byte == 0xFF {
        let candidate = offset + Int64(index)
        guard let header = Header(&reader, at: candidate), model.map(header.continues) != false,
          follows(header, at: candidate, &reader, audioEnd: audioEnd, minimum: minimum)
        else { continue }
        return (candidate, header)
      }
      offset += Int64(part.count)
    }
    return nil
  }

  /// Whether enough frames follow each other, or at least two (one, where a stream is known) up
  /// to the very end.
  private static func follows(
    _ header: Header,
    at start: Int64,
    _ reader: inout ByteReader,
    audioEnd: Int64,
    minimum: Int
  ) -> Bool {
    var offset = start
    var current = header
    for count in 1...minimum {
      offset += current.length
      if offset == audioEnd { return count >= minimum - 1 }
      if count == minimum { return offset < audioEnd }
      guard offset < audioEnd, let next = Header(&reader, at: offset), next.continues(header) else {
        return false
      }
      current = next
    }
    return false
  }
}
