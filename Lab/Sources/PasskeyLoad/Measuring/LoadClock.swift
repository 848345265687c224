// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The clocks of a load.
package enum LoadClock {
  /// The monotonic clock in nanoseconds, by which ``TransferLoop`` waits.
  package static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The seconds since 1970.
  static var secondsSince1970: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The CPU time of this thread in seconds. [A load runs on one thread, so one processor is its limit.]
  package static var ownTime: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
