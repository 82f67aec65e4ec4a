import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PhaseTimesTests {
  private func sum(_ times: PhaseTimes) -> Duration {
    times.nameLookup + times.connect + times.tls + times.firstByte + times.body
  }

  @Test func `a whole hop is split at its marks`() {
    var marks = PhaseTimes.Marks()
    marks.nameLookup = .milliseconds(10)
    marks.connect = .milliseconds(30)
    marks.tls = .milliseconds(60)
    marks.ready = .milliseconds(61)
    marks.firstByte = .milliseconds(100)
    let times = PhaseTimes(marks, elapsed: .milliseconds(250), usesTLS: true)
    #expect(times.nameLookup == .milliseconds(10))
    #expect(times.connect == .milliseconds(20))
    #expect(times.tls == .milliseconds(31))
    #expect(times.firstByte == .milliseconds(39))
    #expect(times.body == .milliseconds(150))
    #expect(sum(times) == .milliseconds(250))
  }

  @Test func `time that ran out belongs to the phase that did not end`() {
    let times = PhaseTimes(PhaseTimes.Marks(), elapsed: .seconds(5), usesTLS: false)
    #expect(times.nameLookup == .seconds(5))
    var marks = PhaseTimes.Marks()
    marks.nameLookup = .milliseconds(2)
    let connecting = PhaseTimes(marks, elapsed: .seconds(5), usesTLS: false)
    #expect(connecting.connect == .milliseconds(4_998))
    marks.connect = .milliseconds(4)
    let shaking = PhaseTimes(marks, elapsed: .seconds(5), usesTLS: true)
    #expect(shaking.tls == .milliseconds(4_996))
    marks.ready = .milliseconds(5)
    let waiting = PhaseTimes(marks, elapsed: .seconds(5), usesTLS: false)
    #expect(waiting.firstByte == .milliseconds(4_996))
    #expect(waiting.body == .zero)
  }

  @Test func `a reused connection costs no look-up and no connection`() {
    var marks = PhaseTimes.Marks()
    marks.ready = .microseconds(40)
    marks.firstByte = .milliseconds(3)
    let times = PhaseTimes(marks, elapsed: .milliseconds(4), usesTLS: false)
    #expect(times.nameLookup == .zero)
    #expect(times.connect == .zero)
    #expect(times.firstByte == .milliseconds(3))
    #expect(times.body == .milliseconds(1))
  }

  @Test func `marks that lie behind the end are cut to it`() {
    var marks = PhaseTimes.Marks()
    marks.nameLookup = .milliseconds(50)
    let times = PhaseTimes(marks, elapsed: .milliseconds(20), usesTLS: false)
    #expect(sum(times) == .milliseconds(20))
  }
}
