/// The machine code that libvips makes for each resizing while the program runs.
///
/// It goes into memory that takes files to get, and is used again once a picture is gone.
package enum VectorCode {
  /// Resizings whose code fits at once; a picture and its previews have three at a time.
  private static let resizings = 24

  /// Gets the memory for as much code as any one picture needs, for a process that is about to
  /// give up opening files.
  ///
  /// - Throws: The words of libvips.
  package static func reserve() throws(PictureError) {
    let edge = 64
    let rows = [UInt8](repeating: 0, count: edge * edge)
    let picture = try Picture(rows: rows, width: edge, bands: 1)
    var made: [Picture] = []
    for number in 1...resizings {
      // Code is made when a resizing is prepared, and kept as long as that is.
      let small = Dimensions(width: 16 + number % 31, height: 11 + number % 37)
      made.append(try picture.resized(to: small))
    }
  }
}
