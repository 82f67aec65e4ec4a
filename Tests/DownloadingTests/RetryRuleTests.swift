import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryRuleTests {
  private let rule = RetryRule(limit: 2)

  private func head(_ status: Int, retryAfter: String? = nil) -> ResponseHead {
    var head = ResponseHead(status: status)
    if let retryAfter { head.add(Array(retryAfter.utf8), for: .retryAfter) }
    return head
  }

  @Test(
    arguments: [
      (.connectionRefused, true), (.connectTimedOut, true), (.incompleteBody, true),
      (.protocolError, false), (.timedOut, false), (.stalled, false), (.budgetSpent, false),
      (.blockedAddress, false), (.tlsFailed, false), (.badEncoding, false), (.storageFull, false),
      (.cancelled, false), (.tooManyRedirects, false), (.invalidURL, false),
    ] as [(DownloadError.Code, Bool)]
  )
  func `only what may pass is tried again`(code: DownloadError.Code, isRetried: Bool) {
    let delay = rule.delay(
      after: DownloadError(code, ""),
      head: nil,
      attempts: 1,
      chance: 0,
      now: 0
    )
    #expect((delay != nil) == isRetried)
  }

  @Test func `a broken answer is not, a broken connection is`() {
    let broken = DownloadError.brokenConnection("")
    #expect(broken.code == .protocolError)
    #expect(rule.delay(after: broken, head: nil, attempts: 1, chance: 0, now: 0) != nil)
  }

  @Test func `the limit holds`() {
    let error = DownloadError(.connectionRefused, "")
    #expect(rule.delay(after: error, head: nil, attempts: 2, chance: 0, now: 0) != nil)
    #expect(rule.delay(after: error, head: nil, attempts: 3, chance: 0, now: 0) == nil)
    #expect(
      RetryRule(limit: 0).delay(after: error, head: nil, attempts: 1, chance: 0, now: 0) == nil
    )
  }

  @Test func `the wait doubles and is cut by chance`() {
    let error = DownloadError(.connectionRefused, "")
    let rule = RetryRule(limit: 20)
    #expect(
      rule.delay(after: error, head: nil, attempts: 1, chance: 0, now: 0) == .milliseconds(200)
    )
    #expect(
      rule.delay(after: error, head: nil, attempts: 2, chance: 0, now: 0) == .milliseconds(400)
    )
    #expect(
      rule.delay(after: error, head: nil, attempts: 2, chance: 1, now: 0) == .milliseconds(200)
    )
  }

  @Test func `Retry-After lengthens the wait, never shortens it`() {
    let error = DownloadError(.httpStatus, "")
    let delay = { rule.delay(after: error, head: $0, attempts: 1, chance: 0, now: 0) }
    #expect(delay(head(503, retryAfter: "7")) == .seconds(7))
    #expect(delay(head(503, retryAfter: "0")) == .milliseconds(200))
    #expect(delay(head(503, retryAfter: "soon")) == .milliseconds(200))
    #expect(delay(head(503, retryAfter: "99999999999999")) == .seconds(1_000_000))
    let endless = String(repeating: "9", count: 40)
    #expect(delay(head(503, retryAfter: endless)) == .seconds(1_000_000))
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:01:00 GMT", 50, 10), ("Thursday, 01-Jan-70 00:01:00 GMT", 50, 10),
      ("Thu Jan  1 00:01:00 1970", 50, 10), ("Thu, 01 Jan 1970 00:01:00 GMT", 60, 1),
      ("Thu, 01 Jan 1970 00:01:00 GMT", 90, 1), ("Thu, 01 Jan 1970 00:01:00 CET", 50, 1),
    ]
  )
  func `Retry-After may name a moment`(date: String, now: Int64, seconds: Int64) {
    let delay = rule.delay(
      after: DownloadError(.httpStatus, ""),
      head: head(503, retryAfter: date),
      attempts: 1,
      chance: 0,
      now: now
    )
    #expect(delay == (seconds == 1 ? .milliseconds(200) : .seconds(seconds)))
  }
}
