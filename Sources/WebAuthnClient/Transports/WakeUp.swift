// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Wakes a thread that waits for descriptors: one of them is this one's.
final class WakeUp: Sendable {
  /// What the thread waits for besides.
  let descriptor: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // In place of a pipe, whose ends would belong to every program that is started meanwhile.
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends)
    (descriptor, writing) = (ends[0], ends[1])
  }

  deinit {
    guard isUsable else { return }
    close(descriptor)
    close(writing)
  }

  /// Whether the system had descriptors for it.
  var isUsable: Bool { descriptor >= 0 && writing >= 0 }

  func ring() {
    var byte: UInt8 = 0
    // A connection that is full wakes as well.
    _ = unsafe write(writing, &byte, 1)
  }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }
}
