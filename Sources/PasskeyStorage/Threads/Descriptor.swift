// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Waits for a socket, in a worker thread.
enum Descriptor {
  /// What a socket may be ready for.
  struct Readiness: OptionSet {
    let rawValue: Int16

    static let reading = Readiness(rawValue: Int16(POLLIN))
    static let writing = Readiness(rawValue: Int16(POLLOUT))
  }

  /// Waits until the descriptor is ready, or broken, or `deadline` has passed; false when it has.
  static func wait(
    _ descriptor: Int32, for readiness: Readiness, until deadline: ContinuousClock.Instant
  ) -> Bool {
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      var entry = pollfd(fd: descriptor, events: readiness.rawValue, revents: 0)
      let count = unsafe poll(&entry, 1, left.milliseconds)
      if count > 0 { return true }
      if count < 0 && errno != EINTR { return true }
    }
  }
}
