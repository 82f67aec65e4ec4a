import Glibc

/// How much of an animation a preview keeps.
package struct AnimationPlan: Hashable {
  /// How many frames.
  package var frames: Int
  /// What the sides are multiplied by, at most 1.
  package var scale: Double
  /// The colours of a frame, as a power of two.
  package var bits: Int

  /// All frames at full size with the most colours.
  package init(frames: Int, scale: Double = 1, bits: Int = 8) {
    self.frames = frames
    self.scale = scale
    self.bits = bits
  }
}

/// What may be taken away from an animation, and what each of it saves.
package struct AnimationRange {
  /// All that there is.
  package let whole: AnimationPlan
  /// Below these many frames a movement is a slide show, so that pixels give way first.
  private let enoughFrames: Int
  private let smallestScale: Double

  // By frames less than by pixels: what dropped frames had in common is in the kept ones, too.
  // Both measured over pans across photographs, test patterns and fractals.
  private static let frameExponent = 0.85
  private static let scaleExponent = 1.9
  // What fewer colours save, with their loss against the original in PSNR: 128 save 11 to 23 % for
  // 2 to 5 dB, 64 save 24 to 37 % for 4 to 9 dB. Fewer look worse than a smaller picture.
  private static let palettes: [(least: Double, bits: Int, cost: Double)] = [
    (0.6, 8, 1), (0.25, 7, 0.82), (0, 6, 0.65),
  ]
  private static let framesPerSecond = 4
  /// Whatever an animation's length, so many frames tell what happens in it.
  private static let storyboard = 40
  private static let smallestEdge = 48.0

  /// What an animation may be reduced to.
  ///
  /// - Parameters:
  ///   - frames: How many there are.
  ///   - longEdge: The longer side in pixels.
  ///   - milliseconds: How long all of it takes.
  package init(frames: Int, longEdge: Int, milliseconds: Int) {
    whole = AnimationPlan(frames: frames)
    let steady = milliseconds * Self.framesPerSecond / 1_000
    enoughFrames = min(frames, max(2, min(Self.storyboard, steady)))
    smallestScale = min(1, Self.smallestEdge / Double(max(1, longEdge)))
  }

  /// The bytes that a plan's frames have before their first pixel: most have a palette each.
  package func overhead(of plan: AnimationPlan) -> Double {
    Double(plan.frames) * (Double(3 << plan.bits) * 0.8 + 30)
  }

  /// The bytes of pixels to expect of a plan, as a share of those of the whole.
  package func cost(of plan: AnimationPlan) -> Double {
    let palette = Self.palettes.first { $0.bits == plan.bits }?.cost ?? 1
    return palette * pow(Double(plan.frames) / Double(whole.frames), Self.frameExponent)
      * pow(plan.scale, Self.scaleExponent)
  }

  /// The best plan that is expected to take no more than so many bytes.
  ///
  /// - Parameters:
  ///   - limit: The most bytes.
  ///   - pixels: The bytes that the pixels of the whole take.
  ///   - most: The largest share of the whole's cost to consider.
  /// - Returns: Nothing where not even two small frames do.
  package func plan(within limit: Double, pixels: Double, most: Double = 1) -> AnimationPlan? {
    func fits(_ plan: AnimationPlan) -> Bool {
      overhead(of: plan) + pixels * cost(of: plan) <= limit
    }
    if most >= 1, fits(whole) { return whole }
    var best: AnimationPlan?
    var (low, high) = (0.0, min(1, most))
    for _ in 0..<20 {
      let share = (low + high) / 2
      guard let plan = plan(costing: share) else {
        low = share
        continue
      }
      if fits(plan) { (low, best) = (share, plan) } else { high = share }
    }
    return best
  }

  /// The best plan that is expected to cost no more than this share of the whole's pixels' bytes.
  ///
  /// - Parameter share: 0 to 1.
  /// - Returns: Nothing where not even two small frames do.
  package func plan(costing share: Double) -> AnimationPlan? {
    guard share < 1 else { return whole }
    let palette = Self.palettes.first { share >= $0.least } ?? Self.palettes[2]
    var plan = reduced(to: min(1, share / palette.cost), exponent: Self.scaleExponent)
    plan?.bits = palette.bits
    return plan
  }

  /// The best plan whose frames together have no more than this share of the whole's pixels.
  package func plan(withPixels share: Double) -> AnimationPlan? {
    share < 1 ? reduced(to: share, frameExponent: 1, exponent: 2) : whole
  }

  /// Takes from frames and from pixels at once, as long as the movement bears it.
  private func reduced(
    to share: Double,
    frameExponent: Double = frameExponent,
    exponent: Double
  ) -> AnimationPlan? {
    let total = Double(whole.frames)
    func scale(with frames: Int) -> Double {
      pow(share / pow(Double(frames) / total, frameExponent), 1 / exponent)
    }
    var frames = max(enoughFrames, Int(total * pow(share, 0.6 / frameExponent)))
    if scale(with: frames) < smallestScale {
      let left = share / pow(smallestScale, exponent)
      frames = min(frames, Int(total * pow(left, 1 / frameExponent)))
    }
    guard frames >= 2 else { return nil }
    return AnimationPlan(frames: frames, scale: max(smallestScale, min(1, scale(with: frames))))
  }
}
