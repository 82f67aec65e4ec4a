import AttachmentModel
import Downloading
import Testing
import TimeBudgets

@Suite(.timeLimit(.minutes(1)))
struct TransferStateMachineTests {
  private func machine(
    attempt: Duration? = nil,
    size: ByteCount = .megabytes(1),
    maximumRedirects: Int = 2,
    budget: TimeBudget = TimeBudget(.seconds(30)),
    isDeadlineAware: Bool = false
  ) -> TransferStateMachine {
    TransferStateMachine(
      limits: TransferStateMachine.Limits(
        attempt: attempt,
        connect: .seconds(5),
        firstByte: .seconds(10),
        stall: .seconds(3),
        maximumRedirects: maximumRedirects,
        size: size,
        budgetEnd: .seconds(30),
        budget: budget,
        isDeadlineAware: isDeadlineAware
      ),
      at: .zero
    )
  }

  private func feed(
    _ machine: inout TransferStateMachine,
    _ bytes: [UInt8],
    at time: Duration = .zero,
    screen: (ResponseHead, [UInt8]) -> Screening = { _, _ in .proceed() }
  ) -> EarlyEnd? {
    // Invariant: the buffer lives as long as the call.
    bytes.withUnsafeBytes { buffer in
      if case .endEarly(let end) = machine.receivedBody(buffer, at: time, screen: screen) {
        return end
      }
      return nil
    }
  }

  @Test func `each phase has its own deadline`() {
    var machine = machine()
    #expect(machine.deadline.time == .seconds(5))
    #expect(machine.deadline.clock == .connect)
    machine.connected(at: .seconds(1))
    #expect(machine.deadline.time == .seconds(11))
    #expect(machine.deadline.clock == .firstByte)
    _ = machine.receivedHeader(20, at: .seconds(9))
    #expect(machine.deadline.time == .seconds(12))
    #expect(machine.deadline.clock == .stall)
  }

  @Test func `a look comes in time for the clocks of the phases that come next`() {
    var machine = machine()
    // The body of a redirect is awaited for half a second: nothing can end before.
    #expect(machine.nextLook(at: .zero) == .milliseconds(500))
    #expect(machine.nextLook(at: .milliseconds(4_800)) == .seconds(5))
    machine.beginHop(at: .seconds(1))
    #expect(machine.nextLook(at: .seconds(1)) == .milliseconds(1_500))
    machine.connected(at: .seconds(2))
    #expect(machine.nextLook(at: .seconds(3)) == .milliseconds(3_500))
    #expect(machine.nextLook(at: .milliseconds(11_800)) == .seconds(12))
    _ = machine.receivedHeader(20, at: .seconds(4))
    #expect(machine.nextLook(at: .seconds(5)) == .seconds(7))
  }

  @Test func `the body of a redirect is awaited for a moment`() {
    var machine = machine()
    machine.connected(at: .seconds(1))
    _ = machine.receivedHeader(20, at: .seconds(2))
    machine.leave(at: .seconds(2))
    #expect(machine.deadline.time == .milliseconds(2_500))
    #expect(machine.deadline.clock == .stall)
    #expect(machine.nextLook(at: .seconds(2)) == .milliseconds(2_500))
    machine.beginHop(at: .seconds(3))
    #expect(machine.deadline.clock == .connect)
  }

  @Test func `header lines are taken up to the limit, hop by hop`() {
    var machine = machine()
    let most = TransferStateMachine.longestHead
    #expect(machine.receivedHeader(most, at: .zero) == nil)
    #expect(machine.receivedHeader(1, at: .zero)?.code == .protocolError)
    machine.beginHop(at: .zero)
    #expect(machine.receivedHeader(most, at: .zero) == nil)
  }

  @Test func `the attempt and the budget cut every phase short`() {
    #expect(machine(attempt: .seconds(2)).deadline.clock == .attempt)
    var late = machine()
    _ = late.receivedHeader(5_000, at: .seconds(29))
    #expect(late.deadline.time == .seconds(30))
    #expect(late.deadline.clock == .budget)
  }

  @Test func `redirects are followed up to the limit`() {
    var machine = machine(maximumRedirects: 1)
    var head = ResponseHead(status: 302)
    head.add(Array("/b".utf8), for: .location)
    guard case .follow(let location, _) = machine.receivedHead(head) else {
      Issue.record("the first redirect is not followed")
      return
    }
    #expect(location == Array("/b".utf8))
    machine.beginHop(at: .seconds(1))
    guard case .fail(let error) = machine.receivedHead(head) else {
      Issue.record("the second redirect is followed")
      return
    }
    #expect(error.code == .tooManyRedirects)
  }

  @Test func `a hop gets a connect time-out of its own, not another budget`() {
    var machine = machine()
    machine.connected(at: .seconds(1))
    machine.beginHop(at: .seconds(28))
    #expect(machine.deadline.time == .seconds(30))
    #expect(machine.deadline.clock == .budget)
  }

  @Test(arguments: [300, 304, 400, 404, 500, 503])
  func `any final status but success fails`(status: Int) {
    var machine = machine()
    guard case .fail(let error) = machine.receivedHead(ResponseHead(status: status)) else {
      Issue.record("status \(status) goes on")
      return
    }
    #expect(error.code == .httpStatus)
  }

  @Test func `an announced size over the limit ends at the head`() {
    var machine = machine()
    var head = ResponseHead(status: 200)
    head.add(Array("1000001".utf8), for: .contentLength)
    guard case .endEarly(let end) = machine.receivedHead(head) else {
      Issue.record("the body is awaited")
      return
    }
    #expect(end.reason == .announcedTooLarge)
    head = ResponseHead(status: 200)
    head.add(Array("1000000".utf8), for: .contentLength)
    guard case .receive = machine.receivedHead(head) else {
      Issue.record("exactly the limit is refused")
      return
    }
  }

  @Test func `received bytes are counted against the limit`() {
    var machine = machine(size: ByteCount(10))
    _ = machine.receivedHead(ResponseHead(status: 200))
    #expect(feed(&machine, Array(repeating: 1, count: 10)) == nil)
    #expect(feed(&machine, [1])?.reason == .tooLarge)
  }

  @Test func `the screen sees the first bytes until it has decided`() {
    var machine = machine()
    _ = machine.receivedHead(ResponseHead(status: 200))
    var seen: [Int] = []
    for _ in 0..<5 {
      _ = feed(&machine, [1, 2]) { _, prefix in
        seen.append(prefix.count)
        return prefix.count < 6 ? .more : .proceed()
      }
    }
    #expect(seen == [2, 4, 6])
  }

  @Test(
    arguments: [(nil, .tooLarge), (5, .announcedTooLarge), (4, nil)] as [(Int?, EarlyEnd.Reason?)]
  )
  func `the screen may lower the limit`(announced: Int?, reason: EarlyEnd.Reason?) {
    var machine = machine()
    var head = ResponseHead(status: 200)
    if let announced { head.add(Array("\(announced)".utf8), for: .contentLength) }
    _ = machine.receivedHead(head)
    let first = feed(&machine, [1, 2, 3]) { _, _ in .proceed(upTo: ByteCount(4)) }
    let last = feed(&machine, [4] + (announced == 4 ? [] : [5]))
    #expect((first ?? last)?.reason == reason)
    #expect((first != nil) == (reason == .announcedTooLarge))
  }

  @Test func `the screen is asked no more once the prefix is full`() {
    var machine = machine()
    _ = machine.receivedHead(ResponseHead(status: 200))
    var asked = 0
    for _ in 0..<10 {
      _ = feed(&machine, Array(repeating: 0, count: 2_000)) { _, prefix in
        asked += 1
        #expect(prefix.count <= ScreeningRules.prefixSize)
        return .more
      }
    }
    #expect(asked == 3)
  }

  @Test func `the rate of a body that begins anew is not that of the rest asked for`() {
    var machine = machine(isDeadlineAware: true)
    var head = ResponseHead(status: 200)
    head.add(Array("900000".utf8), for: .contentLength)
    let rest = TransferStateMachine.Resumption(
      offset: 800_000,
      entityTag: "\"a\"",
      size: ByteCount(900_000)
    )
    guard case .receive = machine.receivedHead(head, resuming: rest) else {
      Issue.record("the whole body is not received")
      return
    }
    #expect(feed(&machine, Array(repeating: 0, count: 1_000), at: .zero) == nil)
    #expect(feed(&machine, Array(repeating: 0, count: 100_000), at: .seconds(2)) == nil)
  }

  /// A part may be less than was asked for, and then only the size of the whole tells.
  @Test(arguments: [nil, 1_000] as [Int64?], ["*", "1000"])
  func `a part is taken for the rest only where the size of the whole is known`(
    announced: Int64?,
    total: String
  ) {
    var machine = machine()
    var head = ResponseHead(status: 206)
    head.add(Array("bytes 400-499/\(total)".utf8), for: .contentRange)
    let rest = TransferStateMachine.Resumption(
      offset: 400,
      entityTag: "\"a\"",
      size: announced.map { ByteCount($0) }
    )
    switch machine.receivedHead(head, resuming: rest) {
    case .resume: #expect(announced != nil || total != "*")
    case .fail(let error):
      #expect(announced == nil && total == "*" && error.code == .incompleteBody)
    default: Issue.record("neither gone on with nor given up")
    }
  }
}
