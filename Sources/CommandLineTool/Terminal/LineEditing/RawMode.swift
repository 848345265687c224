// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A terminal that hands over each key at once, until this is ended: the way it was before comes back, also when a signal
/// ends the process meanwhile.
struct RawMode {
  private let descriptor: Int32

  /// Nil where the descriptor is no terminal.
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
    // Where it cannot be changed, lines come as the terminal gives them.
    unsafe tcsetattr(descriptor, TCSADRAIN, &raw)
  }

  /// Puts back what was.
  func end() {
    unsafe tcsetattr(descriptor, TCSADRAIN, terminalBefore)
    unsafe terminalDescriptor = -1
    for number in Self.deadly { signal(number, SIG_DFL) }
  }

  /// The signals that end a process from outside. Keys make none while the mode is raw.
  private static let deadly = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
}

// What a signal's handler needs must be reachable without a lock. There is one terminal, and one line at a time.
private nonisolated(unsafe) let terminalBefore = UnsafeMutablePointer<termios>.allocate(capacity: 1)
private nonisolated(unsafe) var terminalDescriptor: Int32 = -1

/// Only calls that are safe within a signal's handler (signal-safety(7)).
private func restoreAndDie(_ number: Int32) {
  if unsafe terminalDescriptor >= 0 { unsafe tcsetattr(terminalDescriptor, TCSADRAIN, terminalBefore) }
  signal(number, SIG_DFL)
  raise(number)
}
