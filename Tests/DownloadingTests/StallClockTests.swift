import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StallClockTests {
  @Test func `silence stalls one window after the start`() {
    #expect(StallClock(window: .seconds(5), from: .seconds(2)).deadline == .seconds(7))
  }

  @Test func `a large arrival starts the window anew`() {
    var clock = StallClock(window: .seconds(5), from: .zero)
    clock.receive(100_000, at: .seconds(3))
    #expect(clock.deadline == .seconds(8))
  }

  @Test func `a drip below the rate never moves the deadline`() {
    var clock = StallClock(window: .seconds(5), from: .zero)
    for second in 1...4 { clock.receive(200, at: .seconds(second)) }
    #expect(clock.deadline == .seconds(5))
  }

  @Test func `exactly the least in a window is enough`() {
    var clock = StallClock(window: .seconds(5), from: .zero)
    for second in 1...4 { clock.receive(250, at: .seconds(second)) }
    #expect(clock.deadline == .seconds(6))
  }

  @Test func `one byte less is not enough`() {
    var clock = StallClock(window: .seconds(5), from: .zero)
    clock.receive(249, at: .seconds(1))
    for second in 2...4 { clock.receive(250, at: .seconds(second)) }
    #expect(clock.deadline == .seconds(5))
  }

  @Test func `a steady trickle above the rate lives for ever`() {
    var clock = StallClock(window: .seconds(5), from: .zero)
    for tick in 1...100_000 {
      let now = Duration.milliseconds(tick * 10)
      #expect(clock.deadline > now)
      clock.receive(3, at: now)
    }
  }
}
