/// A moment as HTTP writes it (RFC 9110, section 5.6.7).
package enum HTTPDate {
  /// Reads any of the three forms: IMF-fixdate, RFC 850 and asctime.
  ///
  /// Names are case-sensitive and the parts have fixed places, as the grammar says; whether the day
  /// of the week is the right one for the date is nobody's concern.
  ///
  /// - Parameters:
  ///   - text: A field's value, without the white space around it.
  ///   - now: Seconds since 1970, which decide the century of a year of two digits.
  /// - Returns: Seconds since 1970; nothing for anything else.
  package static func seconds(in text: String, now: Int64) -> Int64? {
    let bytes = Array(text.utf8.prefix(40))
    if bytes.count == 29 { return fixed(bytes) }
    if bytes.count == 24 { return asctime(bytes) }
    return obsolete(bytes, now: now)
  }

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    .map { Array($0.utf8) }
  private static let longWeekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  .map { Array($0.utf8) }
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  .map { Array($0.utf8) }

  /// `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func fixed(_ bytes: [UInt8]) -> Int64? {
    guard isWeekday(bytes), has(", ", bytes, at: 3), has(" ", bytes, at: 7),
      has(" ", bytes, at: 11), has(" ", bytes, at: 16), has(" GMT", bytes, at: 25),
      let day = number(bytes, 5..<7), let month = month(bytes, at: 8),
      let year = number(bytes, 12..<16), let time = time(bytes, at: 17)
    else { return nil }
    return moment(year, month, day, time)
  }

  /// `Sunday, 06-Nov-94 08:49:37 GMT`.
  private static func obsolete(_ bytes: [UInt8], now: Int64) -> Int64? {
    guard let comma = bytes.firstIndex(of: UInt8(ascii: ",")), bytes.count == comma + 24,
      longWeekdays.contains(Array(bytes[..<comma]))
    else { return nil }
    let date = Array(bytes[comma...])
    guard has(", ", date, at: 0), has("-", date, at: 4), has("-", date, at: 8),
      has(" ", date, at: 11), has(" GMT", date, at: 20),
      let day = number(date, 2..<4), let month = month(date, at: 5),
      let short = number(date, 9..<11), let time = time(date, at: 12)
    else { return nil }
    // The latest year with these digits that is no more than 50 years away.
    let thisYear = year(of: now)
    let century = thisYear - thisYear % 100
    let latest = min(max(now, 0), lastSecond) + 50 * 31_556_952
    // 29 February may be of one century only.
    return [century + 100, century, century - 100]
      .compactMap { moment($0 + short, month, day, time) }
      .first { $0 <= latest }
  }

  /// `Sun Nov  6 08:49:37 1994`.
  private static func asctime(_ bytes: [UInt8]) -> Int64? {
    let day = bytes[8] == UInt8(ascii: " ") ? number(bytes, 9..<10) : number(bytes, 8..<10)
    guard isWeekday(bytes), has(" ", bytes, at: 3), has(" ", bytes, at: 7),
      has(" ", bytes, at: 10), has(" ", bytes, at: 19), let day,
      let month = month(bytes, at: 4), let time = time(bytes, at: 11),
      let year = number(bytes, 20..<24)
    else { return nil }
    return moment(year, month, day, time)
  }

  private static func isWeekday(_ bytes: [UInt8]) -> Bool {
    weekdays.contains(Array(bytes.prefix(3)))
  }

  private static func has(_ text: StaticString, _ bytes: [UInt8], at place: Int) -> Bool {
    bytes.dropFirst(place).starts(with: "\(text)".utf8)
  }

  private static func number(_ bytes: [UInt8], _ places: Range<Int>) -> Int64? {
    guard places.upperBound <= bytes.count else { return nil }
    var number: Int64 = 0
    for byte in bytes[places] {
      guard (48...57).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 48)
    }
    return number
  }

  private static func month(_ bytes: [UInt8], at place: Int) -> Int64? {
    months.firstIndex(of: Array(bytes.dropFirst(place).prefix(3))).map { Int64($0 + 1) }
  }

  /// `08:49:37` in seconds; a leap second counts as the next minute's first.
  private static func time(_ bytes: [UInt8], at place: Int) -> Int64? {
    guard has(":", bytes, at: place + 2), has(":", bytes, at: place + 5),
      let hour = number(bytes, place..<place + 2), hour < 24,
      let minute = number(bytes, place + 3..<place + 5), minute < 60,
      let second = number(bytes, place + 6..<place + 8), second <= 60
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  private static func moment(_ year: Int64, _ month: Int64, _ day: Int64, _ time: Int64) -> Int64? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[Int(month - 1)]).contains(day) else { return nil }
    return days(year, month, day) * 86_400 + time
  }

  /// The end of the year 9999.
  private static let lastSecond: Int64 = 253_402_300_799

  /// Days since 1970 in the Gregorian calendar.
  ///
  /// Counts in years that begin in March, so that the leap day is a year's last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let sinceMarch = (month + 9) % 12
    let leaps = floor(shifted, 4) - floor(shifted, 100) + floor(shifted, 400)
    return shifted * 365 + leaps + (sinceMarch * 153 + 2) / 5 + day - 1 - 719_468
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }

  private static func year(of seconds: Int64) -> Int64 {
    let day = floor(min(max(seconds, 0), lastSecond), 86_400)
    var year = 1970 + day / 366
    while days(year + 1, 1, 1) <= day { year += 1 }
    return year
  }
}
