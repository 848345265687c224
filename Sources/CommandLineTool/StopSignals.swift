// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The signals that ask a program to stop.
package struct StopSignals: Sendable {
  /// Holds them back in this thread and in all that it starts, until somebody waits.
  package init() {
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the first, and says which it was. A second one ends the process as if nobody had held it back.
  @discardableResult
  package func wait() -> Int32 {
    var signals = Self.signals
    var number: Int32 = 0
    repeat {} while unsafe sigwait(&signals, &number) != 0
    release()
    return number
  }

  /// Holds them back no longer in this thread.
  func release() {
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigaddset(&signals, SIGINT)
    // The terminal has gone.
    unsafe sigaddset(&signals, SIGHUP)
    return signals
  }
}
