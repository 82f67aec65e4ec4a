/// Telling pictures that show something from those that do not.
extension Picture {
  /// Whether there is nothing to see: all of it transparent, or of one colour.
  ///
  /// Colours that differ by less than anybody sees count as one, for lossy formats have noise.
  var isBlank: Bool {
    let bands = bands
    let hasAlpha = hasAlpha
    return withRows { pixels in
      var least = [UInt8](repeating: 255, count: bands)
      var most = [UInt8](repeating: 0, count: bands)
      for start in stride(from: 0, to: pixels.count - bands + 1, by: bands) {
        // What a transparent pixel's colour is nobody sees.
        if hasAlpha, pixels[start + bands - 1] == 0 {
          least[bands - 1] = 0
          continue
        }
        for band in 0..<bands {
          let value = pixels[start + band]
          if value < least[band] { least[band] = value }
          if value > most[band] { most[band] = value }
        }
        for band in 0..<bands where most[band] > least[band] && most[band] - least[band] > 3 {
          return false
        }
      }
      return true
    } ?? false
  }
}
