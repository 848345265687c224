// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Raw mode of a terminal. `end()` restores the previous mode, and so does a signal that ends the process.
struct RawMode {
  private let descriptor: Int32

  /// Starts raw mode; `nil` if the descriptor is not a terminal.
  init?(_ descriptor: Int32) {
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
    unsafe terminalBefore.initialize(to: before)
    unsafe terminalDescriptor = descriptor
    for number in Self.deadly { signal(number, restoreAndDie) }
    var raw = before
    raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    self.descriptor = descriptor
    // If the mode cannot be changed, the terminal delivers whole lines.
    unsafe tcsetattr(descriptor, TCSADRAIN, &raw)
  }

  /// Restores the previous mode.
  func end() {
    unsafe tcsetattr(descriptor, TCSADRAIN, terminalBefore)
    unsafe terminalDescriptor = -1
    for number in Self.deadly { signal(number, SIG_DFL) }
  }

  /// The signals that end a process. In raw mode, keys do not send them.
  private static let deadly = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
}

// A signal handler must reach this without a lock. There is one terminal, and one line at a time.
private nonisolated(unsafe) let terminalBefore = UnsafeMutablePointer<termios>.allocate(capacity: 1)
private nonisolated(unsafe) var terminalDescriptor: Int32 = -1

/// Async-signal-safe (signal-safety(7)).
private func restoreAndDie(_ number: Int32) {
  if unsafe terminalDescriptor >= 0 { unsafe tcsetattr(terminalDescriptor, TCSADRAIN, terminalBefore) }
  signal(number, SIG_DFL)
  raise(number)
}
