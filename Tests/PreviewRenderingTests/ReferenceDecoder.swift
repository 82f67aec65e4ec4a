import Glibc
import TestSupport

/// What another program makes of a picture: ImageMagick, of the Debian package `imagemagick`.
enum ReferenceDecoder {
  struct Failure: Error {
    let words: String
  }

  private static let program = "/usr/bin/convert"

  /// libvips' own command, which has a profile of printing inks to convert to.
  private static let maker = "/usr/bin/vips"

  /// Whether both programs are there.
  static let canPrint = isInstalled && access(maker, X_OK) == 0

  /// A JPEG of a picture in the colours of printing inks, with their profile in it.
  static func printed(_ png: [UInt8]) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let source = try folder.write(png, to: "rgb.png")
    let run = try await CommandRun.of(
      maker,
      ["icc_export", source, folder.path(of: "cmyk.jpg[Q=100]"), "--output-profile", "cmyk"]
    )
    guard run.ending == .exited(0), let jpeg = folder.read("cmyk.jpg") else {
      throw Failure(words: run.errorOutput)
    }
    return jpeg
  }

  /// Whether the program is there.
  static let isInstalled = access(program, X_OK) == 0

  /// The frames of a picture, complete each, as rows of 8-bit RGBA.
  ///
  /// - Parameters:
  ///   - bytes: A whole file.
  ///   - options: What the program is to do besides.
  /// - Returns: All frames, one behind the other.
  /// - Throws: Where the program does not run.
  static func pixels(of bytes: [UInt8], _ options: [String] = []) async throws -> [UInt8] {
    try await run(["-", "-coalesce"] + options + ["-depth", "8", "rgba:-"], on: bytes)
  }

  /// Whatever the program makes of its input.
  static func run(_ arguments: [String], on bytes: [UInt8] = []) async throws -> [UInt8] {
    let run = try await CommandRun.of(
      program,
      arguments,
      input: .bytes(bytes),
      deadline: .seconds(50)
    )
    guard run.ending == .exited(0) else { throw Failure(words: run.errorOutput) }
    return run.outputBytes
  }
}

/// How far pictures are from each other.
enum ColourDistance {
  /// The mean and the largest difference of the samples of RGBA pixels.
  ///
  /// Where either pixel is transparent, only the alpha counts.
  static func between(_ left: [UInt8], _ right: [UInt8]) -> (mean: Double, most: Int)? {
    guard left.count == right.count, !left.isEmpty else { return nil }
    var sum = 0
    var most = 0
    for start in stride(from: 0, to: left.count - 3, by: 4) {
      let isSeen = left[start + 3] > 0 && right[start + 3] > 0
      for band in isSeen ? 0..<4 : 3..<4 {
        let difference = abs(Int(left[start + band]) - Int(right[start + band]))
        sum += difference
        most = max(most, difference)
      }
    }
    return (Double(sum) / Double(left.count), most)
  }
}
