// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread of our own, for what waits on the network: Swift's pool has few, and expects each of them to go on.
enum WaitingThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Runs `body` in a new thread; false where the system has no more of them. The program's signals are for its own
  /// threads, and a broken pipe is an error like others here.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var signals = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { unsafe sigdelset(&signals, fault) }
    // A thread begins with what its maker holds back.
    unsafe pthread_sigmask(SIG_SETMASK, &signals, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, nil,
      { (argument) in
        if let argument = unsafe argument {
          unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      unsafe work.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
