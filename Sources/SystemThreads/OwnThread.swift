// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A thread for work that waits: for a disk, a socket, a person.
///
/// Swift's tasks share about as many threads as the machine has processors, and expect each of them to go on; queues take
/// theirs from the same few.
package enum OwnThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Runs `body` in a new thread; false where the system has no more of them.
  ///
  /// The program's signals are for its other threads, so a broken pipe is an error like others to this one; a fault is for
  /// the thread that made it.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var signals = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { unsafe sigdelset(&signals, fault) }
    // A thread begins with what its maker holds back.
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

  /// What `body` gives in a new thread, awaited without holding one; nil where the system has no more of them.
  package static func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>?, Never>) in
      let isStarted = start { continuation.resume(returning: Result(catching: body)) }
      if !isStarted { continuation.resume(returning: nil) }
    }?.get()
  }
}
