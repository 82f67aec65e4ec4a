/// A mosaic of tiles from all over a picture, from which its encoded size can be told cheaply.
enum PictureSample {
  /// Whole blocks of a JPEG with halved chroma (16 x 16), four in a row.
  private static let tileWidth = 64
  private static let tileHeight = 16
  /// As many tiles tell the size to about 2 %.
  private static let wantedTiles = 140
  /// Prime, so that a fixed step from row to row visits every column in turn.
  private static let strides = [13, 11, 7, 5, 3]

  /// A mosaic, or nothing for a picture so small that encoding it whole is as cheap.
  ///
  /// - Parameter picture: 8-bit pixels in memory.
  /// - Returns: The mosaic and how many times its pixels the picture has.
  /// - Throws: What libvips says where there is no memory for the mosaic.
  static func of(_ picture: Picture) throws(PictureError) -> (mosaic: Picture, ratio: Double)? {
    let size = picture.dimensions
    let columns = size.width / tileWidth
    let rows = size.height / tileHeight
    guard let stride = strides.first(where: { columns * rows / $0 >= wantedTiles }) else {
      return nil
    }
    let bands = picture.bands
    let step = stride * 2 / 5
    var mosaic: [UInt8] = []
    mosaic.reserveCapacity((columns * rows / stride + rows) * tileWidth * tileHeight * bands)
    picture.withRows { pixels in
      let rowLength = size.width * bands
      let tileLength = tileWidth * bands
      for row in 0..<rows {
        for column in 0..<columns where (column + row * step).isMultiple(of: stride) {
          for line in row * tileHeight..<(row + 1) * tileHeight {
            let start = line * rowLength + column * tileLength
            mosaic.append(contentsOf: pixels[start..<start + tileLength])
          }
        }
      }
    }
    guard !mosaic.isEmpty else { return nil }
    let ratio = Double(size.pixels * bands) / Double(mosaic.count)
    return (try Picture(rows: mosaic, width: tileWidth, bands: bands), ratio)
  }

  /// Whether a picture has at most 256 colours, so that a palette loses next to nothing.
  static func hasFewColours(_ picture: Picture) -> Bool {
    let bands = picture.bands
    return picture.withRows { pixels in
      var colours: Set<UInt32> = []
      var last: UInt32?
      for start in stride(from: 0, to: pixels.count - bands + 1, by: bands) {
        let colour = pixels[start..<start + bands].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if colour == last { continue }
        last = colour
        colours.insert(colour)
        if colours.count > 256 { return false }
      }
      return true
    } ?? false
  }
}
