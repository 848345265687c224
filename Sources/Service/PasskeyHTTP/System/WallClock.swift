// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import PasskeyFormats

/// The system's wall clock.
package enum WallClock {
  package static var now: UnixTime {
    var moment = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &moment)
    return UnixTime(secondsSince1970: Int64(moment.tv_sec))
  }
}
