// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import WireFormats

/// The system's clock: only the program reads it, and hands the time down.
package enum Clock {
  package static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
