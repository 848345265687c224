// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyLinux
internal import Glibc

/// Limits the time of each call that connects or sends on a socket. Returns 0, or -1 with `errno`.
package func limitSending(on socket: Int32, to limit: Duration) -> Int32 {
  var time = timeval(tv_sec: Int(limit.milliseconds) / 1000, tv_usec: Int(limit.milliseconds) % 1000 * 1000)
  return unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
}
