import Glibc
import PreviewRendering
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AnimationFitterTests {
  struct Result {
    var sizes: [Int] = []
    var plans: [AnimationPlan] = []
    var ending: AnimationFitter.Step?
  }

  /// Searches for an animation whose size falls faster or more slowly than the range expects.
  private func search(
    whole: Double,
    expected: Int,
    limit: Int,
    power: Double = 1,
    frames: Int = 60,
    longEdge: Int = 480
  ) -> Result {
    let range = AnimationRange(frames: frames, longEdge: longEdge, milliseconds: frames * 50)
    var fitter = AnimationFitter(limit: limit, range: range, expected: expected)
    var result = Result()
    var step = fitter.firstStep
    while case .encode(let plan) = step, result.plans.count < 20 {
      let size = Int(range.overhead(of: plan) + whole * pow(range.cost(of: plan), power))
      result.plans.append(plan)
      result.sizes.append(size)
      step = fitter.next(afterEncodedSize: size)
    }
    result.ending = step
    return result
  }

  @Test func `an animation that fits is encoded once and whole`() {
    let result = search(whole: 200_000, expected: 230_000, limit: 300_000)
    #expect(result.plans == [AnimationPlan(frames: 60)])
    #expect(result.ending == .accept)
  }

  @Test(
    arguments: [400_000.0, 900_000, 3_000_000],
    [(0.7, 1), (1, 0.7), (1, 1), (1, 1.5), (1.3, 1)]
  )
  func `a limit that binds is met in three encodes, and mostly used`(
    whole: Double,
    truth: (power: Double, error: Double)
  ) throws {
    let (power, error) = truth
    let result = search(
      whole: whole,
      expected: 40_000 + Int(whole * error),
      limit: 300_000,
      power: power
    )
    #expect(result.ending == .accept)
    #expect(result.plans.count <= 3)
    let best = try #require(result.sizes.filter { $0 <= 300_000 }.max())
    #expect(best >= 150_000)
  }

  @Test func `frames, colours and pixels all give way`() throws {
    let plan = try #require(
      search(whole: 2_000_000, expected: 2_000_000, limit: 300_000).plans.first
    )
    #expect(plan.frames < 60)
    #expect(plan.frames >= 12)
    #expect(plan.bits < 8)
    #expect(plan.scale < 1)
  }

  @Test(arguments: [1, 10, 50, 100])
  func `what cannot fit is given up`(limit: Int) {
    let result = search(whole: 3_000_000, expected: 3_000_000, limit: limit)
    #expect(result.ending == .giveUp)
    #expect(result.plans.count <= 3)
  }

  @Test(arguments: [(2, 1), (2, 10_000), (3, 48), (10_000, 16)])
  func `a plan stays within what there is`(frames: Int, longEdge: Int) {
    let range = AnimationRange(frames: frames, longEdge: longEdge, milliseconds: frames * 100)
    for share in [0.0, 1e-9, 0.001, 0.1, 0.24, 0.25, 0.59, 0.6, 0.99, 1, 2] {
      for plan in [range.plan(costing: share), range.plan(withPixels: share)] {
        guard let plan else { continue }
        #expect((2...frames).contains(plan.frames))
        #expect(plan.scale > 0 && plan.scale <= 1)
        #expect((6...8).contains(plan.bits))
      }
    }
  }
}
