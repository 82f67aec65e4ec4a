import Observability
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LinePaceTests {
  @Test func `one line a second is written, and stands for those before it`() {
    let pace = LinePace()
    let moments: [Duration] = [
      .seconds(5), .milliseconds(5_001), .milliseconds(5_999), .seconds(6), .milliseconds(6_500),
      .seconds(9), .seconds(10),
    ]
    #expect(moments.map(pace.lines) == [1, nil, nil, 3, nil, 2, 1])
  }
}
