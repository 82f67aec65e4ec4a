import AttachmentModel
import PreviewRendering
import TestSupport
import Testing
import TimeBudgets

@Suite(.timeLimit(.minutes(1)))
struct RenderingPaceTests {
  @Test(
    arguments: [
      (PictureLoader.jpeg, 10_000, 1_440), (.jpeg, 300, 1_440), (.jpeg, 150, 720), (.jpeg, 1, 180),
      (.heif, 10_000, 1_440), (.heif, 1_000, 180),
    ]
  )
  func `a short time makes a smaller picture`(
    loader: PictureLoader,
    milliseconds: Int,
    longEdge: Int
  ) {
    let size = RenderingPace.affordable(
      Dimensions(width: 1_440, height: 1_080),
      of: Dimensions(width: 4_000, height: 3_000),
      loader,
      within: .milliseconds(milliseconds)
    )
    #expect(size.longEdge == longEdge)
  }

  @Test(arguments: [(10_000, 1_440...1_440), (40, 360...720), (2, 180...180)])
  func `a budget that runs short gives a smaller preview rather than none`(
    milliseconds: Int,
    widths: ClosedRange<Int>
  ) throws {
    let watch = ManualStopwatch()
    let budget = TimeBudget(.milliseconds(milliseconds), stopwatch: watch.stopwatch)
    let photo = Fixture("jpeg/valid/photo-1600x1200.jpg").bytes
    let preview = try Scene.preview(Scene.examine(photo, .jpeg, within: budget))
    #expect(widths.contains(preview.width), "\(preview.width)")
  }
}
