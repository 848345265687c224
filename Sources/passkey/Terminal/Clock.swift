// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import WireFormats

/// The system's clock: only the program reads it, and hands the time down.
enum Clock {
  static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
