// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The signals that ask a server to stop.
struct StopSignals {
  /// Holds them back in this thread and in all that it starts, until somebody waits.
  init() {
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the first. A second one ends the process as if nobody had held it back.
  func wait() {
    var signals = Self.signals
    var number: Int32 = 0
    repeat {} while unsafe sigwait(&signals, &number) != 0
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigaddset(&signals, SIGINT)
    return signals
  }
}
