/// What an encoder wrote into the first frame about the whole stream: Xing, Info or VBRI.
///
/// Sources: the LAME project's description of the Xing/Info header; Fraunhofer's VBRI layout.
struct MPEGAudioPromise {
  /// Which header it is.
  let name: String
  /// How many frames follow, if it says so.
  private(set) var frames: Int64?
  /// How many bytes the stream has, if it says so.
  private(set) var bytes: Int64?

  /// What the frame at an offset promises, or nothing where it is a frame of audio.
  init?(_ reader: inout ByteReader, at offset: Int64, header: MPEGAudioHeader) {
    guard header.layer == 3 else { return nil }
    let sideInformation: Int64 =
      header.version == .mpeg1 ? (header.isMono ? 17 : 32) : (header.isMono ? 9 : 17)
    let place = offset + 4 + sideInformation
    if reader.matches("Xing".utf8, at: place) || reader.matches("Info".utf8, at: place),
      let flags = reader.bigEndian(at: place + 4, count: 4)
    {
      name = reader.matches("Xing".utf8, at: place) ? "Xing" : "Info"
      var field = place + 8
      if flags & 1 != 0 {
        frames = Self.count(&reader, at: field)
        field += 4
      }
      // Where the frames were never filled in, the rest is not to be relied on either.
      if flags & 2 != 0, flags & 1 == 0 || frames != nil {
        bytes = Self.count(&reader, at: field)
      }
      return
    }
    // VBRI always stands behind 32 bytes, whatever the side information takes.
    guard reader.matches("VBRI".utf8, at: offset + 36) else { return nil }
    name = "VBRI"
    bytes = Self.count(&reader, at: offset + 46)
    frames = Self.count(&reader, at: offset + 50)
  }

  /// A count of 0 is one that was never filled in.
  private static func count(_ reader: inout ByteReader, at offset: Int64) -> Int64? {
    reader.bigEndian(at: offset, count: 4).flatMap { $0 == 0 ? nil : Int64($0) }
  }

  /// How the stream falls short of this, or nothing where it does not.
  ///
  /// Encoders disagree whether the header's own frame counts and some round, so a hundredth and
  /// two frames are let pass.
  ///
  /// - Parameters:
  ///   - counted: How many frames of audio there are.
  ///   - size: How many bytes the stream has with its first frame.
  /// - Returns: A finding's text with both numbers.
  func shortfall(frames counted: Int64, bytes size: Int64) -> String? {
    if let frames {
      guard frames - counted > max(2, frames / 100) else { return nil }
      return "the \(name) header promises \(frames) frames, there are \(counted)"
    }
    // Two of the longest frames there are.
    guard let bytes, bytes - size > max(2 * 1_441, bytes / 100) else { return nil }
    return "the \(name) header promises \(bytes) bytes, there are \(size)"
  }
}
