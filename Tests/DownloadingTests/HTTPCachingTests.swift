import Downloading
import Testing

/// 1994-11-06 08:49:37, so that the dates below are read easily.
private let start: Int64 = 784_111_777
private let date = "Sun, 06 Nov 1994 08:49:37 GMT"
private let inTenMinutes = "Sun, 06 Nov 1994 08:59:37 GMT"
private let tenDaysAgo = "Thu, 27 Oct 1994 08:49:37 GMT"
private let tenYearsAgo = "Tue, 06 Nov 1984 08:49:37 GMT"
private let plain = HTTPCaching.Request(
  fields: ["Accept: */*"],
  hasCredentials: false
)

private func fields(_ lines: [String]) -> HTTPCachingFields {
  var fields = HTTPCachingFields()
  for line in lines {
    let parts = line.split(separator: ":", maxSplits: 1)
    fields.receive(parts[0].lowercased(), Array(parts[1].utf8))
  }
  return fields
}

private func storing(
  _ lines: [String],
  status: Int = 200,
  for request: HTTPCaching.Request = plain,
  delay: Int64 = 0
) -> CachedResponse? {
  let storing = HTTPCaching.storing(
    status: status,
    fields: fields(lines),
    declaredType: "image/jpeg",
    for: request,
    requestedAt: start - delay,
    receivedAt: start,
    from: "192.0.2.1"
  )
  guard case .store(let response) = storing else { return nil }
  return response
}

@Suite(.timeLimit(.minutes(1)))
struct HTTPCachingStoringTests {
  @Test(arguments: [
    ["Cache-Control: max-age=60"], ["Cache-Control: private, max-age=60"],
    ["ETag: \"a\""], ["ETag: W/\"a\""], ["ETag: \"\""], ["Last-Modified: \(tenDaysAgo)"],
    ["Cache-Control: no-cache", "ETag: \"a\""], ["Expires: \(inTenMinutes)", "Date: \(date)"],
    ["Cache-Control: no-cache=\"set-cookie, no-store\"", "ETag: \"a\""],
    ["Cache-Control: s-maxage=0, max-age=60"], ["Cache-Control: x=\"no-store\", max-age=5"],
  ])
  func `what is fresh or can be asked about is kept`(lines: [String]) {
    #expect(storing(lines) != nil)
  }

  @Test(arguments: [
    [], ["Cache-Control: no-store, max-age=60"], ["Cache-Control: max-age=60", "Vary: *"],
    ["Cache-Control: max-age=60", "Vary: Accept, *"], ["Cache-Control: MAX-AGE=60, NO-STORE"],
    ["Cache-Control: max-age=60", "Cache-Control: no-store", "ETag: \"a\""],
    ["Cache-Control: no-cache, max-age=60"], ["Cache-Control: max-age=0"], ["ETag: a"],
    ["ETag: \"a"], ["ETag: \"a\"b\""], ["ETag: \"a\u{1}\""], ["ETag: \"\u{e4}\""],
    ["Expires: 0"], ["Expires: \(date)", "Date: \(date)"], ["Last-Modified: yesterday"],
    ["Cache-Control: x=\"unclosed, max-age=60", "ETag: \"a\""],
  ])
  func `what is neither, or must not be kept, is not`(lines: [String]) {
    #expect(storing(lines) == nil)
  }

  @Test(arguments: [201, 203, 204, 206, 301, 302, 304, 404, 500])
  func `only 200 is kept`(status: Int) {
    #expect(storing(["Cache-Control: max-age=60"], status: status) == nil)
  }

  @Test(arguments: [
    ("max-age=60", false), ("private, max-age=60", false), ("public, max-age=60", true),
  ])
  func `an answer to credentials is kept where it is public`(control: String, isKept: Bool) {
    let request = HTTPCaching.Request(
      fields: ["Authorization: Bearer x"],
      hasCredentials: true
    )
    #expect((storing(["Cache-Control: \(control)"], for: request) != nil) == isKept)
  }

  @Test(arguments: ["Range: bytes=0-1", "If-None-Match: \"x\"", "cache-control: no-store"])
  func `an answer to a request for less than the whole is not kept`(field: String) {
    let request = HTTPCaching.Request(fields: [field], hasCredentials: true)
    #expect(storing(["Cache-Control: public, max-age=60"], for: request) == nil)
  }

  @Test func `a list that is too long to be read whole is not trusted`() {
    let long = String(repeating: "x", count: 5_000)
    #expect(storing(["Cache-Control: max-age=60", "Cache-Control: \(long)"]) == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct HTTPCachingFreshnessTests {
  static let lifetimes: [([String], Int64)] = [
    (["Cache-Control: max-age=60"], 60),
    (["Cache-Control: max-age=\"60\""], 60),
    (["Cache-Control: max-age=60, max-age=30"], 30),
    (["Cache-Control: max-age=60", "Expires: \(inTenMinutes)"], 60),
    (["Cache-Control: max-age=0", "Expires: \(inTenMinutes)"], 0),
    (["Cache-Control: max-age=-1"], 0),
    (["Cache-Control: max-age"], 0),
    (["Cache-Control: max-age=99999999999999999999999"], 1 << 31),
    (["Cache-Control: max-age=0000000000060"], 60),
    (["Expires: \(inTenMinutes)", "Date: \(date)"], 600),
    (["Expires: \(inTenMinutes)"], 600),
    (["Expires: 0", "Last-Modified: \(tenDaysAgo)"], 0),
    (["Expires: \(inTenMinutes)", "Expires: \(date)"], 0),
    (["Expires: Fri, 31 Dec 9999 23:59:59 GMT"], 1 << 31),
    (["Last-Modified: \(tenDaysAgo)", "Date: \(date)"], 86_400),
    (["Last-Modified: Sun, 06 Nov 1994 08:48:37 GMT"], 6),
    (["Last-Modified: \(tenYearsAgo)"], 86_400),
    (["Last-Modified: \(inTenMinutes)"], 0),
  ]

  @Test(arguments: lifetimes)
  func `the lifetime is stated, else reckoned`(lines: [String], seconds: Int64) throws {
    let response = try #require(storing(lines + ["ETag: \"a\""]))
    #expect(response.lifetime == seconds)
  }

  @Test(
    arguments: [
      ([], 0, 0), (["Age: 10"], 0, 10), (["Age: 10"], 3, 13), (["Age: x"], 3, 3),
      (["Age: -5"], 0, 0), (["Age: 10, 20"], 0, 10),
      (["Date: Sun, 06 Nov 1994 08:49:30 GMT"], 3, 7),
      (["Date: Sun, 06 Nov 1994 08:49:30 GMT", "Age: 20"], 3, 23),
      (["Date: \(inTenMinutes)"], 0, 0),
    ] as [([String], Int64, Int64)]
  )
  func `the age counts what others kept it and what the way took`(
    lines: [String],
    delay: Int64,
    age: Int64
  ) throws {
    let response = try #require(storing(lines + ["ETag: \"a\""], delay: delay))
    #expect(response.initialAge == age)
  }

  @Test func `it is fresh until the second its lifetime ends`() throws {
    let response = try #require(storing(["Cache-Control: max-age=60", "ETag: \"a\"", "Age: 10"]))
    #expect(HTTPCaching.use(response, for: plain, at: start + 49) == .fresh)
    #expect(
      HTTPCaching.use(response, for: plain, at: start + 50)
        == .revalidate(headers: ["If-None-Match: \"a\""])
    )
  }

  @Test func `both validators are sent as they came`() throws {
    let response = try #require(
      storing(["ETag: W/\"a,b\"", "Last-Modified: \(tenDaysAgo)", "Cache-Control: max-age=0"])
    )
    #expect(
      HTTPCaching.use(response, for: plain, at: start)
        == .revalidate(
          headers: ["If-None-Match: W/\"a,b\"", "If-Modified-Since: \(tenDaysAgo)"]
        )
    )
  }

  @Test func `what is stale and cannot be asked about is unusable`() throws {
    let response = try #require(storing(["Cache-Control: max-age=60"]))
    #expect(HTTPCaching.use(response, for: plain, at: start + 59) == .fresh)
    #expect(HTTPCaching.use(response, for: plain, at: start + 60) == .unusable)
  }

  @Test func `no-cache is asked about each time`() throws {
    let response = try #require(storing(["Cache-Control: no-cache, max-age=60", "ETag: \"a\""]))
    #expect(HTTPCaching.use(response, for: plain, at: start) != .fresh)
  }

  @Test func `a clock that was set back makes nothing fresh`() throws {
    let response = try #require(storing(["Cache-Control: max-age=60", "ETag: \"a\""]))
    #expect(HTTPCaching.use(response, for: plain, at: start - 1) != .fresh)
  }

  @Test(arguments: ["Cache-Control: no-cache", "Cache-Control: max-age=0", "Pragma: no-cache"])
  func `a request may insist on asking`(field: String) throws {
    let response = try #require(storing(["Cache-Control: public, max-age=60", "ETag: \"a\""]))
    let request = HTTPCaching.Request(fields: [field], hasCredentials: true)
    #expect(
      HTTPCaching.use(response, for: request, at: start)
        == .revalidate(headers: ["If-None-Match: \"a\""])
    )
  }

  @Test func `a request with credentials does not use what is not public`() throws {
    let response = try #require(storing(["Cache-Control: max-age=60", "ETag: \"a\""]))
    let request = HTTPCaching.Request(fields: ["Cookie: x"], hasCredentials: true)
    #expect(HTTPCaching.use(response, for: request, at: start) == .unusable)
  }

  @Test func `fields that Vary names must be the same`() throws {
    let lines = ["Cache-Control: public, max-age=60", "Vary: accept, User-Agent", "Vary: Accept"]
    let response = try #require(storing(lines))
    let same = HTTPCaching.Request(fields: ["accept:  */* "], hasCredentials: false)
    let other = HTTPCaching.Request(
      fields: ["Accept: image/*"],
      hasCredentials: false
    )
    let more = HTTPCaching.Request(
      fields: ["Accept: */*", "User-Agent: x"],
      hasCredentials: false
    )
    #expect(HTTPCaching.use(response, for: same, at: start) == .fresh)
    #expect(HTTPCaching.use(response, for: other, at: start) == .unusable)
    #expect(HTTPCaching.use(response, for: more, at: start) == .unusable)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct HTTPCachingRevalidationTests {
  private static func freshened(
    _ response: CachedResponse,
    by lines: [String],
    after seconds: Int64 = 100
  ) -> HTTPCaching.Revalidation {
    HTTPCaching.freshened(
      response,
      by: fields(lines),
      for: plain,
      requestedAt: start + seconds,
      receivedAt: start + seconds
    )
  }

  @Test func `a 304 makes the answer fresh again, by its new fields`() throws {
    let old = try #require(
      storing(["Cache-Control: max-age=60", "ETag: \"a\"", "Age: 50", "Date: \(date)"])
    )
    guard case .use(let new) = Self.freshened(old, by: ["Cache-Control: max-age=30"]) else {
      Issue.record("the answer was not kept")
      return
    }
    #expect(new.fields.entityTag == "\"a\"")
    #expect(new.declaredType == "image/jpeg")
    #expect(new.remoteAddress == "192.0.2.1")
    #expect(new.initialAge == 0)
    #expect(HTTPCaching.use(new, for: plain, at: start + 129) == .fresh)
    #expect(HTTPCaching.use(new, for: plain, at: start + 130) != .fresh)
  }

  @Test func `fields that a 304 leaves out stay`() throws {
    let old = try #require(storing(["Cache-Control: max-age=60", "ETag: \"a\"", "Vary: Accept"]))
    guard case .use(let new) = Self.freshened(old, by: ["ETag: \"a\""]) else {
      Issue.record("the answer was not kept")
      return
    }
    #expect(new.lifetime == 60)
    #expect(new.fields.vary == "Accept")
  }

  @Test(arguments: [
    ("\"a\"", "\"a\"", true), ("\"a\"", "W/\"a\"", true), ("W/\"a\"", "\"a\"", true),
    ("\"a\"", "\"b\"", false), ("\"a\"", "\"a \"", true),
  ])
  func `a 304 about another representation is none`(kept: String, sent: String, fits: Bool) throws {
    let old = try #require(storing(["ETag: \(kept)"]))
    let isMismatch = Self.freshened(old, by: ["ETag: \(sent)"]) == .mismatch
    // A tag with a space is none at all, and so says nothing.
    #expect(isMismatch == !fits)
  }

  @Test(arguments: ["Cache-Control: no-store", "Vary: *"])
  func `a 304 may allow the last use`(line: String) throws {
    let old = try #require(storing(["ETag: \"a\""]))
    #expect(Self.freshened(old, by: [line]) == .useOnce)
  }

  @Test func `a record comes back from its bytes`() throws {
    let response = try #require(
      storing(["ETag: \"a\"", "Vary: Accept", "Expires: \(inTenMinutes)", "Age: 1"])
    )
    let bytes = try #require(response.encoded())
    #expect(CachedResponse(encoded: bytes) == response)
    #expect(CachedResponse(encoded: bytes.dropLast()) == nil)
    #expect(bytes.count < 600)
  }

  @Test func `a record of an earlier version is one without an address`() throws {
    let response = try #require(storing(["ETag: \"a\""]))
    let text = String(decoding: try #require(response.encoded()), as: UTF8.self)
    let earlier = text.split(separator: "\"remoteAddress\":\"192.0.2.1\",").joined()
    #expect(earlier != text)
    let record = try #require(CachedResponse(encoded: Array(earlier.utf8)))
    #expect(record.remoteAddress == nil)
    #expect(record.fields == response.fields)
  }

  @Test(arguments: [
    ("\"version\":1", "\"version\":2"), ("784111777", "-9223372036854775808"),
    ("784111777", "9223372036854775807"), ("\\\"a\\\"", "\\\"a\\\"\\r\\nHost: x"),
  ])
  func `a record that was tampered with is none`(part: String, replacement: String) throws {
    let response = try #require(storing(["ETag: \"a\""]))
    let text = String(decoding: try #require(response.encoded()), as: UTF8.self)
    let changed = text.split(separator: part, omittingEmptySubsequences: false)
      .joined(separator: replacement)
    #expect(changed != text)
    #expect(CachedResponse(encoded: Array(changed.utf8)) == nil)
  }

  @Test func `a secret in a field that Vary names is not kept`() throws {
    let request = HTTPCaching.Request(
      fields: ["Authorization: Bearer secret"],
      hasCredentials: true
    )
    let response = try #require(
      storing(["Cache-Control: public, max-age=60", "Vary: Authorization"], for: request)
    )
    let text = String(decoding: try #require(response.encoded()), as: UTF8.self)
    #expect(text.split(separator: "secret").count == 1)
    #expect(HTTPCaching.use(response, for: request, at: start) == .fresh)
  }
}
