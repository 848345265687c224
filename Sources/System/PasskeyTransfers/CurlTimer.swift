// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyCurl
internal import PasskeySystem

/// A timer of the monotonic clock that interrupts a wait for transfers, to the microsecond.
///
/// [libcurl's own time-outs have whole milliseconds, so that a request every 0.2 ms would start late.]
struct CurlTimer: ~Copyable {
  let descriptor: Int32

  /// Returns nil if the system has no more descriptors.
  init?() {
    descriptor = passkey_curl_make_timer()
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    FileDescriptor(number: descriptor).close()
  }

  /// Sets the moment at which the timer fires, in nanoseconds of the monotonic clock.
  func set(_ moment: Int64) {
    // 1 ns: zero would stop the timer.
    _ = passkey_curl_set_timer(descriptor, max(1, moment))
  }
}
