package import AttachmentModel

/// The structure of an Ogg file: pages with checksums, from a first to a last one.
///
/// Source: RFC 3533; RFC 7845 for Opus; the Vorbis, FLAC and Theora mappings of xiph.org.
package enum OggStructure {
  private static let magic = Array("OggS".utf8)
  /// More streams than any file has; each costs memory.
  private static let streamLimit = 64

  private struct Stream {
    var codec = ""
    var isVideo = false
    var rate: Int64 = 0
    var preSkip: Int64 = 0
    var nextPage: UInt32 = 0
    var lastPosition: Int64 = 0
    var hasEnded = false
  }

  /// Inspects a file that begins with an Ogg page.
  ///
  /// - Parameters:
  ///   - reader: The file.
  ///   - inspection: What is known of it; format, codecs, time and findings are filled in.
  package static func inspect(
    _ reader: inout ByteReader,
    into inspection: inout MediaInspection
  ) {
    inspection.format = .ogg
    inspection.kind = .audio
    inspection.contentName = nil
    var streams: [UInt32: Stream] = [:]
    var offset: Int64 = 0
    while offset < reader.size {
      guard let page = OggPage(&reader, at: offset) else {
        noteNoPage(at: offset, &reader, &inspection)
        break
      }
      guard page.end <= reader.size else {
        inspection.findings.append(
          .init(
            .truncated,
            "the page at byte \(offset) lacks \(ByteCount(page.end - reader.size).exactly)"
          )
        )
        break
      }
      guard page.hasValidChecksum(&reader) else {
        inspection.findings.append(
          .init(.corrupt, "the page at byte \(offset) does not match its checksum")
        )
        break
      }
      guard streams[page.serial] != nil || streams.count < streamLimit else { break }
      if let problem = add(page, to: &streams, &reader) {
        inspection.findings.append(.init(.corrupt, problem))
        break
      }
      offset = page.end
    }
    fill(&inspection, streams)
  }

  private static func noteNoPage(
    at offset: Int64,
    _ reader: inout ByteReader,
    _ inspection: inout MediaInspection
  ) {
    let rest = reader.size - offset
    let isCutPage =
      reader.prefix(at: offset, upTo: 4).elementsEqual(magic.prefix(Int(min(rest, 4))))
    inspection.findings.append(
      isCutPage
        ? .init(.truncated, "the page header at byte \(offset) is cut")
        : .init(.trailingData, "\(rest) bytes at byte \(offset) are no page")
    )
  }

  private static func add(
    _ page: OggPage,
    to streams: inout [UInt32: Stream],
    _ reader: inout ByteReader
  ) -> String? {
    var stream = streams[page.serial] ?? Stream()
    if page.isFirst {
      identify(&stream, page, &reader)
    } else if page.sequence != stream.nextPage {
      return "page \(page.sequence) at byte \(page.start) follows page "
        + "\(stream.nextPage &- 1) of its stream"
    }
    stream.nextPage = page.sequence &+ 1
    // A position of -1 belongs to a page on which no packet ends.
    if page.position > 0 { stream.lastPosition = max(stream.lastPosition, page.position) }
    stream.hasEnded = page.isLast
    streams[page.serial] = stream
    return nil
  }

  private static func identify(
    _ stream: inout Stream,
    _ page: OggPage,
    _ reader: inout ByteReader
  ) {
    let start = page.content
    if reader.matches([1] + Array("vorbis".utf8), at: start) {
      stream.codec = "vorbis"
      stream.rate = Int64(reader.littleEndian(at: start + 12, count: 4) ?? 0)
    } else if reader.matches("OpusHead".utf8, at: start) {
      stream.codec = "opus"
      // Positions count at 48 kHz whatever the input was, and begin with the decoder's delay.
      stream.rate = 48_000
      stream.preSkip = Int64(reader.littleEndian(at: start + 10, count: 2) ?? 0)
    } else if reader.matches([0x7F] + Array("FLAC".utf8), at: start) {
      stream.codec = "flac"
      stream.rate = Int64((reader.bigEndian(at: start + 27, count: 3) ?? 0) >> 4)
    } else if reader.matches("Speex   ".utf8, at: start) {
      stream.codec = "speex"
      stream.rate = Int64(reader.littleEndian(at: start + 36, count: 4) ?? 0)
    } else if reader.matches([0x80] + Array("theora".utf8), at: start) {
      stream.codec = "theora"
      stream.isVideo = true
    }
  }

  private static func fill(_ inspection: inout MediaInspection, _ streams: [UInt32: Stream]) {
    let known = streams.sorted { $0.key < $1.key }.map(\.value).filter { !$0.codec.isEmpty }
    inspection.videoCodec = known.first(where: \.isVideo)?.codec
    inspection.audioCodec = known.first { !$0.isVideo }?.codec
    if inspection.videoCodec != nil {
      inspection.kind = .movie
      inspection.contentName = "an Ogg movie"
    }
    inspection.duration =
      known.compactMap {
        AudioTime.duration(samples: $0.lastPosition - $0.preSkip, rate: $0.rate)
      }.max()
    guard !inspection.has(.truncated), !inspection.has(.corrupt) else { return }
    if known.isEmpty {
      inspection.findings.append(.init(.noMedia, "no stream of a known codec"))
    } else if streams.values.contains(where: { !$0.hasEnded }) {
      inspection.findings.append(.init(.truncated, "a stream ends without its last page"))
    }
  }
}
