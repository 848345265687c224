// SPDX-License-Identifier: Apache-2.0

/// A moment in seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Below the tools nothing reads a clock: whoever calls says what time it is.
public struct Timestamp: Hashable, Sendable {
  /// The seconds since the beginning of 1970, in UTC.
  public let secondsSince1970: Int64

  /// The moment that lies so many seconds after the beginning of 1970.
  public init(secondsSince1970: Int64) {
    self.secondsSince1970 = secondsSince1970
  }

  /// The moment that a date and a time of day in UTC name; nil where the calendar has no such moment.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    let date = CivilDate(year: year, month: month, day: day)
    guard date.isInCalendar, 0..<24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second else { return nil }
    let secondOfDay = (hour * 60 + minute) * 60 + second
    self.init(secondsSince1970: Int64(date.daysSince1970) * Self.secondsPerDay + Int64(secondOfDay))
  }

  static let secondsPerDay: Int64 = 86_400
}

extension Timestamp: Comparable {
  /// Whether one moment lies before another.
  public static func < (left: Self, right: Self) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}

extension Timestamp {
  /// The moment that lies so much later, in whole seconds; the end of time where the sum is past it.
  public static func + (moment: Self, duration: Duration) -> Self {
    let (sum, overflow) = moment.secondsSince1970.addingReportingOverflow(duration.components.seconds)
    guard overflow else { return Self(secondsSince1970: sum) }
    return Self(secondsSince1970: duration.components.seconds < 0 ? .min : .max)
  }

  /// The moment that lies so much earlier, in whole seconds; the beginning of time where it would be before that.
  public static func - (moment: Self, duration: Duration) -> Self {
    let (difference, overflow) = moment.secondsSince1970.subtractingReportingOverflow(duration.components.seconds)
    guard overflow else { return Self(secondsSince1970: difference) }
    return Self(secondsSince1970: duration.components.seconds < 0 ? .max : .min)
  }
}
