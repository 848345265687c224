// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The signals that ask a program to stop.
package struct StopSignals: Sendable {
  private let hangup = Hangup()

  /// Holds them back in this thread and in all that it starts, until somebody waits.
  package init() {
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the first, and says which it was. A second one ends the process as if nobody had held it back.
  ///
  /// A SIGHUP by which somebody asks for something to be read anew is no end where `renews` does that, however often.
  @discardableResult
  package func wait(renewing renews: (() -> Void)? = nil) -> Int32 {
    var signals = Self.signals
    while true {
      var sign = unsafe siginfo_t()
      let number = unsafe sigwaitinfo(&signals, &sign)
      guard number > 0 else { continue }
      if number == SIGHUP, let renews, unsafe !hangup.isEnd(sign) {
        renews()
        continue
      }
      release()
      return number
    }
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
    // The terminal has gone, or somebody wants something to be read anew.
    unsafe sigaddset(&signals, SIGHUP)
    return signals
  }
}
