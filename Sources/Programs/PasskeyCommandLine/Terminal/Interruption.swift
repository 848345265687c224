// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import PasskeySystem
internal import Synchronization

/// Ctrl-C during an operation that can be canceled without ending the program.
///
/// Code that waits for the operation or for terminal input also waits for this. There is one instance for the process.
package enum Interruption {
  /// Starts counting Ctrl-C at zero; it no longer ends the process.
  package static func begin() {
    forget()
    install()
  }

  /// Starts counting Ctrl-C, unless it is counted already or the process ignores it. Does not reset the count.
  ///
  /// - Returns: Whether counting was started, so that the caller has to call ``end()``.
  static func beginUnlessActive() -> Bool {
    guard descriptor.number < 0, pair != nil, !SignalDisposition.isIgnored(SIGINT) else { return false }
    install()
    return true
  }

  private static func install() {
    guard let pair else { return }
    reading.store(pair.reading, ordering: .releasing)
    writing.store(pair.writing, ordering: .releasing)
    signal(SIGINT, remember)
  }

  /// Counts a Ctrl-C that the terminal delivered as a character, and therefore does not show.
  package static func record() {
    guard writing.load(ordering: .acquiring) >= 0 else { return }
    remember(SIGINT)
    endedLines.store(count, ordering: .relaxed)
  }

  /// Resets the count.
  package static func forget() {
    guard let pair else { return }
    var byte: UInt8 = 0
    while unsafe read(pair.reading, &byte, 1) == 1 {}
    endedLines.store(0, ordering: .relaxed)
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

  /// Ends the line in which the terminal shows ^C, once for each interruption, so that a message starts a new one.
  package static func endLine() {
    let count = count
    guard count > endedLines.exchange(count, ordering: .relaxed) else { return }
    Terminal()?.write("\n")
  }

  /// Becomes readable after Ctrl-C, and stays so until ``forget()``. Its number is -1, which is never ready, while counting
  /// is off.
  package static var descriptor: FileDescriptor { FileDescriptor(number: reading.load(ordering: .acquiring)) }

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

/// The number of interruptions whose line was ended.
private let endedLines = Atomic(0)

/// Async-signal-safe (signal-safety(7)): the pipe is created before the handler is installed.
private func remember(_ number: Int32) {
  let before = errno
  var byte: UInt8 = 0
  _ = unsafe write(writing.load(ordering: .acquiring), &byte, 1)
  errno = before
}
