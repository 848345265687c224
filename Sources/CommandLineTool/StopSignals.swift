// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemThreads

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

extension StopSignals {
  /// Does a last thing when the first signal comes, and lets the process end as it would have without it.
  package func endProcess(after body: @escaping @Sendable () -> Void) {
    let isWaiting = OwnThread.start {
      let number = StopSignals().wait()
      body()
      raise(number)
    }
    // Without a thread the last thing is not done, and the signals end the process at once, as ever.
    if !isWaiting { release() }
  }
}

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

/// What whoever started the program wants done with its signals.
package enum SignalDisposition {
  /// Whether a signal is to pass the program by: as nohup has it with SIGHUP, and a shell with the SIGINT of what is in the
  /// background.
  package static func isIgnored(_ signal: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 in the place of an address.
    return unsafe withUnsafeBytes(of: action.__sigaction_handler) { unsafe $0.load(as: Int.self) } == 1
  }
}
