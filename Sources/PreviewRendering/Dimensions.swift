package import AttachmentModel

/// A picture's size in pixels.
package struct Dimensions: Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The pixel count; header values are at most 32 bits each, so it fits 64.
  var pixels: Int {
    width.multipliedReportingOverflow(by: height).overflow ? Int.max : width * height
  }

  package var longEdge: Int {
    max(width, height)
  }

  /// The same picture lying on its side.
  var turned: Dimensions {
    Dimensions(width: height, height: width)
  }

  /// What of this size lies inside another one.
  func inside(_ other: Dimensions) -> Dimensions {
    Dimensions(width: min(width, other.width), height: min(height, other.height))
  }

  /// The largest size of the same proportions inside the frame; never larger than this one.
  package func fitted(to size: PreviewRequest.Size) -> Dimensions {
    let factor =
      switch size {
      case .longEdge(let edge): Double(max(1, edge)) / Double(longEdge)
      case .within(let frameWidth, let frameHeight):
        min(
          Double(max(1, frameWidth)) / Double(width),
          Double(max(1, frameHeight)) / Double(height)
        )
      case .original: 1.0
      }
    return scaled(by: factor)
  }

  /// How large the whole picture is shrunk for a preview: inside the frame, or, where the crop
  /// cuts, just covering what is kept of it.
  package func scaled(for request: PreviewRequest) -> Dimensions {
    guard let kept = kept(in: request) else { return fitted(to: request.size) }
    let covering = max(Double(kept.width) / Double(width), Double(kept.height) / Double(height))
    let scaled = scaled(by: covering)
    return Dimensions(
      width: max(kept.width, scaled.width),
      height: max(kept.height, scaled.height)
    )
  }

  /// The size of a preview.
  ///
  /// - Parameter request: With a crop, the frame is filled exactly. A picture that does not cover
  ///   it is not enlarged but cut to the frame's proportions, as large as the picture allows.
  /// - Returns: Sides no longer than this picture's.
  package func preview(for request: PreviewRequest) -> Dimensions {
    kept(in: request) ?? fitted(to: request.size)
  }

  /// The part of the picture that a crop keeps; nothing where all of it is shown.
  private func kept(in request: PreviewRequest) -> Dimensions? {
    guard request.crop != .none, case .within(let frameWidth, let frameHeight) = request.size else {
      return nil
    }
    let frame = Dimensions(width: max(1, frameWidth), height: max(1, frameHeight))
    let factor = min(
      Double(width) / Double(frame.width),
      Double(height) / Double(frame.height)
    )
    let kept = frame.scaled(by: factor)
    return Dimensions(width: min(width, kept.width), height: min(height, kept.height))
  }

  /// Both sides multiplied by a factor of at most 1, neither less than one pixel.
  func scaled(by factor: Double) -> Dimensions {
    guard factor < 1 else { return self }
    return Dimensions(
      width: max(1, Int((Double(width) * factor).rounded())),
      height: max(1, Int((Double(height) * factor).rounded()))
    )
  }

  /// How much a JPEG decoder may shrink while decoding so that `target` still comes out sharp.
  ///
  /// Halving in the DCT leaves a picture that resizing can finish. Quartering and more averages
  /// detail away that the target could still show, so that a margin of a quarter is kept. Luma SSIM
  /// against the whole picture, of previews at quality 85 made of half and quarter decodes:
  ///
  ///     reduction   half    quarter  |  reduction  quarter  eighth
  ///     4           .9834   .9790    |  8          .9827    .9772
  ///     5           .9829   .9796    |  10         .9818    .9791
  ///     6           .9830   .9817    |  12         .9814    .9802
  package func decoderShrink(for target: Dimensions) -> Int {
    let reduction = min(
      Double(width) / Double(target.width),
      Double(height) / Double(target.height)
    )
    let wanted = reduction >= 10 ? 8 : reduction >= 5 ? 4 : reduction >= 2 ? 2 : 1
    return min(wanted, largestDecoderShrink)
  }

  /// How much a JPEG decoder may shrink and still decode every block.
  ///
  /// libvips rounds the shrunk size down: both sides must keep a pixel (it aborts on an image without
  /// any), and at least one row must be left of the last row of blocks, or the
  /// end of the file is never read.
  package var largestDecoderShrink: Int {
    let rowsBeforeLastBlock = (height - 1) / 8 * 8
    return [8, 4, 2].first { shrink in
      width >= shrink && height / shrink * shrink > rowsBeforeLastBlock
    } ?? 1
  }
}
