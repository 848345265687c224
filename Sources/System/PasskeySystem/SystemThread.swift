// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread for work that blocks: on a disk, a socket, a person.
///
/// Swift's cooperative pool has about as many threads as the machine has processors, and every task needs them. Work that
/// blocks must not run there.
package enum SystemThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Runs `body` on a new thread.
  ///
  /// The new thread blocks all signals except those of faults. Other threads handle the program's signals, and a broken
  /// pipe is an error of `write`.
  ///
  /// - Returns: False if the system cannot create another thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var signals = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { unsafe sigdelset(&signals, fault) }
    // A thread inherits the signal mask of its creator.
    unsafe pthread_sigmask(SIG_SETMASK, &signals, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = unsafe Unmanaged.passRetained(Work(body))
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

  /// Runs `body` on a new thread and suspends the calling task until it returns.
  ///
  /// - Returns: The result of `body`, or nil if the system cannot create another thread.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>?, Never>) in
      let isStarted = start { continuation.resume(returning: Result(catching: body)) }
      if !isStarted { continuation.resume(returning: nil) }
    }?.get()
  }

  /// Blocks the calling thread until `moment`.
  package static func sleep(until moment: ContinuousClock.Instant) {
    while true {
      let left = ContinuousClock.now.duration(to: moment)
      guard left > .zero else { return }
      usleep(UInt32(min(left.milliseconds, 1000)) * 1000)
    }
  }
}

extension Duration {
  /// Whole milliseconds for C functions, rounded up and cut to the range 0 to 2,000,000,000 (23 days).
  package var milliseconds: Int32 {
    let (seconds, attoseconds) = max(.zero, min(self, .seconds(2_000_000))).components
    return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
