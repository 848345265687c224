// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeySystem

/// The signals that stop a program: SIGTERM, SIGINT and SIGHUP.
package struct StopSignals: Sendable {
  private let hangup = Hangup()

  /// Blocks the signals in this thread and in threads that it starts, until ``wait(renewing:)``.
  package init() {
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for a signal and returns its number. Unblocks the signals, so that a second one ends the process.
  ///
  /// If `renews` is given, a SIGHUP that asks for a reload calls it and does not end the wait. A SIGHUP for the loss of
  /// the terminal ends it.
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

  /// Unblocks the signals in this thread.
  func release() {
    var signals = Self.signals
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigaddset(&signals, SIGINT)
    // The terminal is gone, or an administrator asks for a reload.
    unsafe sigaddset(&signals, SIGHUP)
    return signals
  }
}

extension StopSignals {
  /// Calls `body` on the first signal, then lets the signal end the process.
  package func endProcess(after body: @escaping @Sendable () -> Void) {
    let isWaiting = SystemThread.start {
      let number = StopSignals().wait()
      body()
      raise(number)
    }
    // If no thread can be started, `body` is not called, and the signals end the process immediately.
    if !isWaiting { release() }
  }
}

/// Distinguishes the two meanings of SIGHUP: loss of the terminal, and a request to reload.
struct Hangup: Sendable {
  /// Whether loss of the terminal ends the process: it has a terminal and was not started by nohup.
  private let hasToEnd: Bool

  init() {
    hasToEnd = !SignalDisposition.isIgnored(SIGHUP) && Self.hasTerminal
  }

  /// Whether the signal reports loss of the terminal. The kernel sends it or, to a background job, the shell, which is
  /// the session leader. A SIGHUP from any other process is a request, even after the terminal is gone.
  func isEnd(_ sign: siginfo_t) -> Bool {
    guard hasToEnd, !Self.hasTerminal else { return false }
    let isOfSystem = unsafe sign.si_code > 0
    let sender = unsafe sign._sifields._kill.si_pid
    return isOfSystem || sender == getsid(0)
  }

  /// Whether the process has a controlling terminal. A closed terminal does not count.
  private static var hasTerminal: Bool {
    // A process without a controlling terminal gets none by opening /dev/tty.
    (try? OpenFile("/dev/tty", [.reading, .notBlocking])) != nil
  }
}

/// The signal dispositions that the process inherited.
package enum SignalDisposition {
  /// Whether the process ignores a signal, as nohup sets for SIGHUP and a shell for SIGINT of background jobs.
  package static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the address 1.
    return unsafe withUnsafeBytes(of: action.__sigaction_handler) { unsafe $0.load(as: Int.self) } == 1
  }
}
