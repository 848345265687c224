// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Ctrl-C, while something is done that can be called off and is not all that the program is for.
///
/// Whoever waits, for the work or for an answer at the terminal, waits for this as well. There is one for the process, as
/// there is one terminal.
package enum Interruption {
  /// From now on Ctrl-C ends nothing by itself, and is remembered.
  package static func begin() {
    guard let pair else { return }
    forget()
    reading.store(pair.reading, ordering: .releasing)
    writing.store(pair.writing, ordering: .releasing)
    signal(SIGINT, remember)
  }

  /// It has not come.
  package static func forget() {
    guard let pair else { return }
    var byte: UInt8 = 0
    while unsafe read(pair.reading, &byte, 1) == 1 {}
  }

  /// From now on Ctrl-C ends the process again. Whether it has come is still known.
  package static func end() {
    signal(SIGINT, SIG_DFL)
    reading.store(-1, ordering: .releasing)
  }

  /// How often it has come since the beginning.
  package static var count: Int {
    guard let pair else { return 0 }
    var count: Int32 = 0
    // FIONREAD, of a header that the C module leaves out.
    guard unsafe ioctl(pair.reading, 0x541b, &count) == 0 else { return 0 }
    return Int(count)
  }

  /// What can be read from once it has come; -1, which nothing comes from, while nobody listens for it.
  static var descriptor: Int32 { reading.load(ordering: .acquiring) }

  /// Nil where the system has no pipe left: then Ctrl-C ends the process, as ever.
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

/// Only calls that are safe within a signal's handler (signal-safety(7)); what it reads was made before it was set.
private func remember(_ number: Int32) {
  let before = errno
  var byte: UInt8 = 0
  _ = unsafe write(writing.load(ordering: .acquiring), &byte, 1)
  errno = before
}
