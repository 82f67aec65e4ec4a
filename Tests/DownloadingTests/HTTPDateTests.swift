import Downloading
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPDateTests {
  /// 2026-01-01 00:00:00.
  static let now: Int64 = 1_767_225_600

  /// The first three are RFC 9110's own examples.
  static let dates: [(String, Int64)] = [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
    ("Fri, 31 Dec 2100 23:59:59 GMT", 4_133_980_799),
    ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
    ("Wednesday, 01-Jan-75 00:00:00 GMT", 3_313_526_400),
    ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ("Wed Jan 31 00:00:00 2024", 1_706_659_200),
  ]

  @Test(arguments: dates)
  func `each form is read`(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(in: text, now: Self.now) == seconds)
  }

  @Test(arguments: dates.map(\.0))
  func `one byte less is no date, and one more is none`(text: String) {
    #expect(HTTPDate.seconds(in: String(text.dropLast()), now: Self.now) == nil)
    #expect(HTTPDate.seconds(in: text + "0", now: Self.now) == nil)
  }

  @Test(arguments: [
    "", "0", "-1", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sux, 06 Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08-49-37 GMT",
    "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT",
    "Sun Nov 06 08:49:37 94xx", "Sun Nov  x 08:49:37 1994", ",", "Sunday,",
  ])
  func `anything else is no date`(text: String) {
    #expect(HTTPDate.seconds(in: text, now: Self.now) == nil)
  }

  @Test(arguments: [Int64.min, -1, 0, 915_148_800, 253_402_300_800, .max])
  func `a year of two digits is read whatever the clock says`(now: Int64) {
    #expect(HTTPDate.seconds(in: "Sunday, 06-Nov-94 08:49:37 GMT", now: now) != nil)
  }

  @Test func `a year of two digits may be in the next century`() {
    let now: Int64 = 915_148_800  // 1999
    #expect(
      HTTPDate.seconds(in: "Saturday, 01-Jan-05 00:00:00 GMT", now: now) == 1_104_537_600
    )
  }
}
