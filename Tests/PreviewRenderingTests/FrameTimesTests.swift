import PreviewRendering
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FrameTimesTests {
  @Test(
    arguments: [
      ([100, 200, 300], [0, 1, 2], [100, 200, 300]), ([100, 200, 300], [0, 2], [300, 300]),
      ([100, 200, 300], [0], [600]), ([0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 0, 0]),
      ([0, 10, 20, 50], [0, 2], [200, 70]), ([33, 33, 33, 33], [0, 1, 2, 3], [30, 40, 30, 30]),
      ([700_000, 40], [0, 1], [655_350, 44_690]), ([-5, 40], [0, 1], [0, 40]), ([], [0], [0]),
    ] as [([Int], [Int], [Int])]
  )
  func `what is dropped is shown as the frame before it`(
    times: [Int],
    kept: [Int],
    shown: [Int]
  ) {
    #expect(FrameTimes(milliseconds: times).shown(keeping: kept) == shown)
  }

  @Test(arguments: [1, 2, 3, 7, 39, 40, 41, 1_000])
  func `the whole takes as long as before`(count: Int) {
    let times = FrameTimes(milliseconds: (0..<40).map { 20 + $0 * 7 % 90 })
    let kept = FrameTimes.evenly(count, of: 40)
    #expect(kept.count == min(count, 40))
    #expect(kept.first == 0)
    #expect(Set(kept).count == kept.count)
    #expect(abs(times.shown(keeping: kept).reduce(0, +) - times.total) <= 5)
  }
}
