// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Wakes a thread that polls file descriptors.
final class WakeUp: Sendable {
  /// The descriptor for the thread to poll.
  let descriptor: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // A socket pair instead of a pipe: its close-on-exec flag is set atomically, so child processes do not inherit it.
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends)
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    guard isUsable else { return }
    close(descriptor)
    close(writing)
  }

  /// Whether the system had descriptors left.
  var isUsable: Bool { descriptor >= 0 && writing >= 0 }

  func ring() {
    var byte: UInt8 = 0
    // A full socket buffer wakes the thread as well.
    _ = unsafe write(writing, &byte, 1)
  }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
