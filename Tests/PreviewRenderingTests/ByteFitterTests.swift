import Glibc
import PreviewRendering
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ByteFitterTests {
  /// A picture's JPEG size as photographs show it: by quality and by scale.
  struct Photograph: Sendable, CustomTestStringConvertible {
    let bytesAtQ85: Double
    let slope: Double
    /// What part of its bytes goes with the first pixels that it loses.
    var noise = 0.0

    var testDescription: String { "\(bytesAtQ85) bytes, slope \(slope)" }

    func size(quality: Int, scale: Double) -> Int {
      let percent = Double(quality < 50 ? 5_000 / quality : 200 - 2 * quality)
      return 620
        + Int(bytesAtQ85 * pow(30 / percent, slope) * pow(scale, 1.7) * (scale < 1 ? 1 - noise : 1))
    }
  }

  struct Result {
    var encodes: [(quality: Int, scale: Double, size: Int)] = []
    var fits = false
    var bestSize: Int?
  }

  private func search(_ photograph: Photograph, limit: Int, prediction: SizeModel? = nil) -> Result
  {
    var result = Result()
    var fitter = ByteFitter(limit: limit, longEdge: 1_600, prediction: prediction)
    var step = fitter.firstStep
    while case .encode(let quality, let scale) = step, result.encodes.count < 50 {
      let size = photograph.size(quality: quality, scale: scale)
      result.encodes.append((quality, scale, size))
      step = fitter.next(afterEncodedSize: size)
    }
    result.fits = step == .accept
    result.bestSize = result.encodes.map(\.size).filter { $0 <= limit }.max()
    return result
  }

  @Test func `a picture that fits at once is encoded once at the highest quality`() {
    let result = search(Photograph(bytesAtQ85: 200_000, slope: 0.7), limit: 300_000)
    #expect(result.encodes.count == 1)
    #expect(result.encodes.first?.quality == ByteFitter.qualities.upperBound)
    #expect(result.fits)
  }

  @Test(arguments: [310_000.0, 350_000, 420_000, 500_000, 600_000], [0.5, 0.6, 0.7, 0.8, 0.95])
  func `a limit that binds is met in three encodes, and nearly used up`(
    bytes: Double,
    slope: Double
  ) throws {
    let result = search(Photograph(bytesAtQ85: bytes, slope: slope), limit: 300_000)
    #expect(result.fits)
    #expect(result.encodes.count <= 3)
    #expect(try #require(result.bestSize) >= 276_000)
  }

  @Test(arguments: [900_000.0, 2_000_000, 9_000_000], [0.5, 0.6, 0.7, 0.8, 0.95])
  func `a limit far below the first size is met in four encodes, and mostly used up`(
    bytes: Double,
    slope: Double
  ) throws {
    let result = search(Photograph(bytesAtQ85: bytes, slope: slope), limit: 300_000)
    #expect(result.fits)
    #expect(result.encodes.count <= 4)
    #expect(try #require(result.bestSize) >= 250_000)
  }

  @Test(arguments: [310_000.0, 400_000, 500_000, 600_000], [0.6, 0.7, 0.8])
  func `a good prediction makes the first encode the last`(bytes: Double, slope: Double) {
    let photograph = Photograph(bytesAtQ85: bytes, slope: slope)
    var model = SizeModel()
    for quality in [85, 65] {
      let size = Double(photograph.size(quality: quality, scale: 1) - SizeModel.overhead)
      model.observe(quality: quality, size: size, samePixels: quality == 65)
    }
    let result = search(photograph, limit: 300_000, prediction: model)
    #expect(result.encodes.count == 1)
    #expect((result.bestSize ?? 0) >= 275_000)
  }

  @Test func `quality gives way before dimensions do`() {
    let result = search(Photograph(bytesAtQ85: 550_000, slope: 0.7), limit: 300_000)
    #expect(result.encodes.allSatisfy { $0.scale == 1 })
    #expect(result.encodes.map(\.quality).min() ?? 0 >= ByteFitter.qualities.lowerBound)
  }

  @Test(arguments: [20_000, 5_000, 1_500])
  func `dimensions give way where quality is not enough`(limit: Int) {
    let result = search(Photograph(bytesAtQ85: 900_000, slope: 0.7), limit: limit)
    #expect(result.fits)
    #expect(result.bestSize ?? .max <= limit)
    #expect(result.encodes.count <= 6)
  }

  @Test(arguments: [0.3, 0.4, 0.5], [500_000.0, 900_000, 2_000_000])
  func `a picture that loses noise as it shrinks gets pixels back rather than quality`(
    noise: Double,
    bytes: Double
  ) throws {
    let photograph = Photograph(bytesAtQ85: bytes, slope: 0.7, noise: noise)
    let limit = 150_000
    let result = search(photograph, limit: limit)
    let best = try #require(
      result.encodes.filter { $0.size <= limit }.max { $0.size < $1.size }
    )
    #expect(best.size >= 125_000)
    #expect(best.quality <= 72, "\(result.encodes)")
    #expect(result.encodes.count <= 5)
  }

  @Test(arguments: [0, 0.1, 0.2, 0.3, 0.4, 0.5], [0.5, 0.7, 0.95])
  func `nothing is encoded twice`(noise: Double, slope: Double) {
    for bytes in stride(from: 160_000.0, through: 900_000, by: 7_000) {
      let photograph = Photograph(bytesAtQ85: bytes, slope: slope, noise: noise)
      let encodes = search(photograph, limit: 150_000).encodes
      for (index, encode) in encodes.enumerated() {
        let before = encodes[..<index]
        #expect(
          !before.contains { $0.quality == encode.quality && $0.scale == encode.scale },
          "\(bytes) bytes: \(encodes)"
        )
      }
    }
  }

  @Test(arguments: [2, 15, 16, 17, 18, 40], [700, 900, 1_500])
  func `hardly any pixels to give end the search`(longEdge: Int, limit: Int) {
    let photograph = Photograph(bytesAtQ85: 4_000, slope: 0.7, noise: 0.5)
    var fitter = ByteFitter(limit: limit, longEdge: longEdge)
    var step = fitter.firstStep
    var encodes = 0
    while case .encode(let quality, let scale) = step, encodes < 50 {
      encodes += 1
      #expect(scale > 0 && scale <= 1)
      step = fitter.next(afterEncodedSize: photograph.size(quality: quality, scale: scale))
    }
    #expect(encodes < 20)
  }

  @Test(arguments: [-1, 0, 1, 10, 500, 620])
  func `an absurd limit ends the search`(limit: Int) {
    let result = search(Photograph(bytesAtQ85: 900_000, slope: 0.7), limit: limit)
    #expect(!result.fits)
    #expect(result.bestSize == nil)
    #expect(result.encodes.count <= 6)
  }

  @Test func `a size that never falls ends the search`() {
    var fitter = ByteFitter(limit: 100_000, longEdge: 1_600)
    var step = fitter.firstStep
    var encodes = 0
    while case .encode = step, encodes < 100 {
      encodes += 1
      step = fitter.next(afterEncodedSize: 200_000)
    }
    #expect(step == .cannotFit)
    #expect(encodes < 20)
  }

  @Test func `a size that jumps about ends the search`() {
    var fitter = ByteFitter(limit: 100_000, longEdge: 1_600)
    var step = fitter.firstStep
    var encodes = 0
    while case .encode = step, encodes < 100 {
      encodes += 1
      step = fitter.next(afterEncodedSize: encodes.isMultiple(of: 2) ? 20_000 : 200_000)
    }
    #expect(encodes <= 4)
  }
}
