// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyLinux
internal import Glibc

/// The two ends of a pipe. They are the caller's to close; child processes do not inherit them.
package struct Pipe: Sendable {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try SystemError.check { unsafe passkey_pipe(&ends, O_CLOEXEC) }
    reading = FileDescriptor(number: ends[0])
    writing = FileDescriptor(number: ends[1])
  }
}

extension FileDescriptor {
  /// Makes reading and writing throw `wouldBlock` instead of blocking. It applies to all descriptors of the open file.
  package func disableBlocking() throws(SystemError) {
    let flags = try SystemError.check { fcntl(number, F_GETFL) }
    _ = try SystemError.check { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
  }
}
