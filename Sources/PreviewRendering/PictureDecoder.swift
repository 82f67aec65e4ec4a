package import AttachmentModel
package import TimeBudgets

/// Decodes one image file, as far down as its previews allow.
package struct PictureDecoder {
  /// What a header tells before any pixel is decoded.
  package struct Header {
    /// The size of one frame as stored.
    package let dimensions: Dimensions
    /// Whether width and height change places when the picture is turned upright.
    package let liesOnItsSide: Bool
    /// How many frames there are.
    package let frames: Int
    /// Whether the colours are those of printing inks.
    package let isCMYK: Bool

    /// The size of one frame as it is seen.
    package var upright: Dimensions {
      liesOnItsSide ? dimensions.turned : dimensions
    }
  }

  /// How many frames are looked at for one that is not blank, and their pixels together.
  private static let lookAhead = 16
  private static let lookAheadPixelLimit = 50_000_000

  let loader: PictureLoader
  let slice: FileSlice
  let budget: TimeBudget

  /// A decoder of a picture in an open regular file.
  package init(loader: PictureLoader, slice: FileSlice, budget: TimeBudget) {
    self.loader = loader
    self.slice = slice
    self.budget = budget
  }

  /// Reads the header alone.
  package func header() throws(PictureError) -> Header {
    let picture = try open(strict: false)
    return Header(
      dimensions: picture.dimensions,
      liesOnItsSide: picture.liesOnItsSide,
      frames: max(1, picture.frames),
      isCMYK: picture.isCMYK
    )
  }

  /// Decodes the first frame that is not blank to upright sRGB pixels, just large enough for all previews.
  ///
  /// - Parameters:
  ///   - header: This file's header.
  ///   - previews: What is to be made of the pixels; at least one.
  ///   - strict: Whether damage is an error; otherwise what is missing is filled in.
  /// - Returns: 8-bit pixels in memory, with an alpha band where something is not opaque.
  /// - Throws: The decoder's words, or any where the budget is spent.
  package func decode(
    _ header: Header,
    for previews: [PreviewRequest],
    strict: Bool
  ) throws(PictureError) -> Picture {
    let stored = header.dimensions
    let upright = header.upright
    let largest = previews.map(upright.scaled(for:)).max { $0.longEdge < $1.longEdge } ?? upright
    let target = RenderingPace.affordable(
      header.liesOnItsSide ? largest.turned : largest,
      of: stored,
      loader,
      within: budget.remaining
    )
    let shrink = loader == .jpeg ? stored.decoderShrink(for: target) : 1
    let first = try open(shrink: shrink, strict: strict)
      .watched(by: budget)
      .resized(to: target)
      .inSRGB()
      .inMemory()
      .upright()
      .withoutOpaqueAlpha()
    guard loader.loadsAllFrames, header.frames > 1, first.isBlank else { return first }
    return try firstVisible(header, as: first.dimensions) ?? first
  }

  /// Looks behind a blank frame, with which many animations begin, for one that shows something.
  private func firstVisible(
    _ header: Header,
    as size: Dimensions
  ) throws(PictureError) -> Picture? {
    let affordable = Self.lookAheadPixelLimit / max(1, header.dimensions.pixels)
    let reel = try? FrameReel(self, header, limit: min(Self.lookAhead, affordable))
    guard let reel else { return nil }
    for number in 1..<max(1, reel.count) {
      // What does not decode is told where all frames are; here it ends the search.
      guard let frame = try? reel.frame(number, scaled: size) else { return nil }
      if !frame.isBlank { return try frame.withoutOpaqueAlpha() }
    }
    return nil
  }

  /// Decodes every pixel of the first frame, and keeps none.
  func drain(_ header: Header) throws(PictureError) {
    // However much is shrunk in the DCT, the whole entropy-coded stream is read.
    let shrink = loader == .jpeg ? header.dimensions.largestDecoderShrink : 1
    try open(shrink: shrink, strict: true).watched(by: budget).drain()
  }

  /// Decodes the frames after the first, unless all together have more pixels than the limit.
  func drainFurtherFrames(_ header: Header, pixelLimit: Int) throws(PictureError) {
    guard loader.loadsAllFrames, header.frames > 1,
      header.dimensions.pixels <= pixelLimit / header.frames
    else { return }
    try open(frames: header.frames, strict: true).watched(by: budget).drain()
  }

  /// Opens the file for one pass over its pixels.
  func open(
    shrink: Int = 1,
    frames: Int = 1,
    strict: Bool
  ) throws(PictureError) -> Picture {
    try Picture.open(
      FileSource(slice, budget: budget),
      loader: loader,
      shrink: shrink,
      frames: frames,
      strict: strict
    )
  }
}
