// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The time format of header fields (RFC 9110 §5.6.7): the IMF-fixdate form. Obsolete forms are not supported.
package enum HTTPDate {
  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`. Returns nil for any other form.
  package static func timestamp(_ text: String) -> UnixTime? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let clock = words[4].split(separator: ":").map { Int($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else { return nil }
    return UnixTime(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
  }

  /// Returns the seconds to wait, from a `Retry-After` value in seconds or as a date (RFC 9110 §10.2.3). Returns nil if
  /// the value is malformed.
  package static func seconds(untilRetry text: String, now: UnixTime) -> Int64? {
    if let seconds = Int64(text) { return seconds >= 0 ? seconds : nil }
    guard let time = timestamp(text) else { return nil }
    let (seconds, overflow) = time.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
    return overflow ? nil : max(0, seconds)
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
