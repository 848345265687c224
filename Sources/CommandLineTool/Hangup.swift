// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What is meant by SIGHUP: that the terminal has gone, or, as with programs that never had one, that something is to be read
/// anew.
struct Hangup: Sendable {
  /// Whether the process is to end with a terminal: it was started on one, and not by nohup.
  private let hasToEnd: Bool

  init() {
    hasToEnd = !SignalDisposition.isIgnored(SIGHUP) && Self.hasTerminal
  }

  /// Whether the signal says that the terminal has gone. The system says so itself; to a job behind it, the shell does, which
  /// leads the session. Anybody else may ask for something after the terminal has gone.
  func isEnd(_ sign: siginfo_t) -> Bool {
    guard hasToEnd, !Self.hasTerminal else { return false }
    let isOfSystem = unsafe sign.si_code > 0
    let sender = unsafe sign._sifields._kill.si_pid
    return isOfSystem || sender == getsid(0)
  }

  /// Whether a terminal controls the process: one that has gone does so no more.
  private static var hasTerminal: Bool {
    let descriptor = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
