// SPDX-License-Identifier: Apache-2.0

/// A time in seconds since 1970-01-01T00:00:00Z, not counting leap seconds.
///
/// The libraries below the programs never read a clock. The caller passes the current time.
public struct UnixTime: Hashable, Sendable {
  /// The seconds since 1970-01-01T00:00:00Z.
  public let secondsSince1970: Int64

  /// Creates a time from seconds since 1970-01-01T00:00:00Z.
  public init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// Creates a time from a UTC date and time of day; `nil` if the calendar has no such date or the day has no such
  /// time.
  package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isInCalendar, 0..<24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second else { return nil }
    let secondOfDay = (hour * 60 + minute) * 60 + second
    self.init(secondsSince1970: Int64(date.daysSince1970) * Self.secondsPerDay + Int64(secondOfDay))
  }

  static let secondsPerDay: Int64 = 86_400
}

extension UnixTime: Comparable {
  /// Whether `left` is earlier than `right`.
  public static func < (left: Self, right: Self) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}

extension UnixTime {
  /// Adds a duration, in whole seconds. Clamps to the earliest or latest time on overflow.
  public static func + (moment: Self, duration: Duration) -> Self {
    let (sum, overflow) = moment.secondsSince1970.addingReportingOverflow(duration.components.seconds)
    guard overflow else { return Self(secondsSince1970: sum) }
    return Self(secondsSince1970: duration.components.seconds < 0 ? .min : .max)
  }

  /// Subtracts a duration, in whole seconds. Clamps to the earliest or latest time on overflow.
  public static func - (moment: Self, duration: Duration) -> Self {
    let (difference, overflow) = moment.secondsSince1970.subtractingReportingOverflow(duration.components.seconds)
    guard overflow else { return Self(secondsSince1970: difference) }
    return Self(secondsSince1970: duration.components.seconds < 0 ? .max : .min)
  }
}

/// A date of the Gregorian calendar in the years 0 to 9999, the range of RFC 3339 and X.509.
struct CivilDate: Equatable {
  let year: Int
  let month: Int
  let day: Int

  static let years = 0...9999

  /// Whether the calendar has this date.
  var isInCalendar: Bool {
    Self.years ~= year && 1...12 ~= month && 1...Self.days(in: month, of: year) ~= day
  }

  /// The days from 1970-01-01 to this date, which must be valid.
  ///
  /// Years are counted from March, so that a leap day is the last day of a year and every month starts at a fixed day
  /// of the year.
  var daysSince1970: Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = month > 2 ? month - 3 : month + 9
    let leapDays = (marchYear + 400) / 4 - (marchYear + 400) / 100 + (marchYear + 400) / 400 - 97
    let dayOfYear = (marchMonth * 153 + 2) / 5 + day - 1
    return marchYear * 365 + leapDays + dayOfYear - Self.daysFromMarchOfYearZeroTo1970
  }

  /// Creates the date that is this many days after 1970-01-01; `nil` outside the years 0 to 9999.
  init?(daysSince1970: Int) {
    guard Self.writableDays ~= daysSince1970 else { return nil }
    // Estimates the year from the mean length of a year, then corrects it. The estimate is off by at most one.
    var year = (daysSince1970 + Self.daysFromMarchOfYearZeroTo1970 + 60) * 400 / Self.daysIn400Years
    if Self(year: year, month: 1, day: 1).daysSince1970 > daysSince1970 { year -= 1 }
    if Self(year: year + 1, month: 1, day: 1).daysSince1970 <= daysSince1970 { year += 1 }
    var day = daysSince1970 - Self(year: year, month: 1, day: 1).daysSince1970 + 1
    var month = 1
    while day > Self.days(in: month, of: year) {
      day -= Self.days(in: month, of: year)
      month += 1
    }
    self.init(year: year, month: month, day: day)
  }

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  private static let daysIn400Years = 146_097
  private static let daysFromMarchOfYearZeroTo1970 = 719_468
  private static let writableDays =
    Self(year: 0, month: 1, day: 1).daysSince1970...Self(year: 9999, month: 12, day: 31).daysSince1970

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }
}
