// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Ctrl-C during an operation that can be canceled without ending the program.
///
/// Code that waits for the operation or for terminal input also waits for this. There is one instance for the process.
package enum Interruption {
  /// Starts counting Ctrl-C; it no longer ends the process.
  package static func begin() {
    guard let pair else { return }
    forget()
    reading.store(pair.reading, ordering: .releasing)
    writing.store(pair.writing, ordering: .releasing)
    signal(SIGINT, remember)
  }

  /// Counts a Ctrl-C that the terminal delivered as a character.
  package static func record() {
    if writing.load(ordering: .acquiring) >= 0 { remember(SIGINT) }
  }

  /// Resets the count.
  package static func forget() {
    guard let pair else { return }
    var byte: UInt8 = 0
    while unsafe read(pair.reading, &byte, 1) == 1 {}
  }

  /// Lets Ctrl-C end the process again. The count is kept.
  package static func end() {
    signal(SIGINT, SIG_DFL)
    reading.store(-1, ordering: .releasing)
  }

  /// The number of interruptions since the start.
  package static var count: Int {
    guard let pair else { return 0 }
    var count: Int32 = 0
    // FIONREAD, which the C module does not export.
    guard unsafe ioctl(pair.reading, 0x541b, &count) == 0 else { return 0 }
    return Int(count)
  }

  /// A descriptor that becomes readable after Ctrl-C; -1, which poll(2) ignores, while counting is off.
  static var descriptor: Int32 { reading.load(ordering: .acquiring) }

  /// `nil` if no pipe is available; Ctrl-C then ends the process.
  private static let pair: (reading: Int32, writing: Int32)? = {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }()
}

private let reading = Atomic<Int32>(-1)
private let writing = Atomic<Int32>(-1)

/// Async-signal-safe (signal-safety(7)): the pipe is created before the handler is installed.
private func remember(_ number: Int32) {
  let before = errno
  var byte: UInt8 = 0
  _ = unsafe write(writing.load(ordering: .acquiring), &byte, 1)
  errno = before
}
