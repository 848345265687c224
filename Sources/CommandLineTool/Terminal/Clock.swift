// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import WireFormats

/// The system clock. Only the programs read it; libraries take the time as a parameter.
package enum Clock {
  package static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}

/// The time zone of the user.
package enum LocalTime {
  /// The current offset from UTC in seconds.
  package static var secondsFromUTC: Int {
    var now = time(nil)
    var parts = unsafe tm()
    guard unsafe localtime_r(&now, &parts) != nil else { return 0 }
    return unsafe parts.tm_gmtoff
  }
}
