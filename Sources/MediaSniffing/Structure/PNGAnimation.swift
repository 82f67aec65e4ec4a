/// The frames of an APNG, as its control chunks announce and number them.
///
/// Source: APNG specification 1.0. An acTL chunk behind the first IDAT makes no animation.
struct PNGAnimation {
  /// Whether an IDAT chunk was seen.
  var hasData = false
  /// The announced number of frames, where this is an animation.
  private(set) var frames: Int?
  private var nextSequence: UInt64 = 0
  private var controls = 0

  /// Takes a control chunk.
  ///
  /// - Parameters:
  ///   - name: acTL, fcTL or fdAT.
  ///   - body: Its first 26 bytes.
  ///   - header: The picture's header.
  /// - Returns: What contradicts, or nothing.
  mutating func take(_ name: String, _ body: FilePrefix, _ header: PNGHeader?) -> String? {
    guard name != "acTL" else {
      if !hasData, frames == nil, let count = body.bigEndian(at: 0, count: 4), count > 0,
        count <= Int32.max
      {
        frames = Int(count)
      }
      return nil
    }
    guard frames != nil else { return nil }
    guard let sequence = body.bigEndian(at: 0, count: 4), sequence == nextSequence else {
      return "the animation's \(name) chunk is not number \(nextSequence)"
    }
    nextSequence += 1
    if name == "fdAT" {
      return controls == 0 || !hasData ? "animation data before its frame control" : nil
    }
    controls += 1
    guard let header, let width = body.bigEndian(at: 4, count: 4),
      let height = body.bigEndian(at: 8, count: 4), let left = body.bigEndian(at: 12, count: 4),
      let top = body.bigEndian(at: 16, count: 4)
    else { return "a frame control of \(body.count) bytes" }
    guard width > 0, height > 0, left + width <= UInt64(header.width),
      top + height <= UInt64(header.height)
    else { return "frame \(controls) of \(width) by \(height) pixels is outside the picture" }
    return nil
  }

  /// What the animation lacks at the end, or nothing.
  var conclusion: String? {
    guard let frames, controls != frames else { return nil }
    return "the animation announces \(frames) frames and has \(controls)"
  }
}
