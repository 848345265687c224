// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import WireFormats

/// The system's clock: only the program reads it, and hands the time down.
package enum Clock {
  package static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}

/// The zone of whoever sits at the terminal.
package enum LocalTime {
  /// How many seconds it is ahead of UTC now.
  package static var secondsFromUTC: Int {
    var now = time(nil)
    var parts = unsafe tm()
    guard unsafe localtime_r(&now, &parts) != nil else { return 0 }
    return unsafe parts.tm_gmtoff
  }
}
