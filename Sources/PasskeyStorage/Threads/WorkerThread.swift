// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyService

/// A thread of our own, for calls that wait in the system: a disk, a socket.
///
/// Swift's pool has about as many threads as the machine has processors, and expects each of them to go on.
enum WorkerThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Runs `body` in a new thread; false where the system has no more of them.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(Work(body))
    // The program's signals are for its own threads; a fault is for the one that made it.
    var signals = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { unsafe sigdelset(&signals, fault) }
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

  /// Waits, in the caller's thread.
  static func sleep(until moment: ContinuousClock.Instant) {
    while true {
      let left = ContinuousClock.now.duration(to: moment)
      guard left > .zero else { return }
      usleep(UInt32(min(left.milliseconds, 1000)) * 1000)
    }
  }

  /// Runs `body` in a thread of its own, and waits for its value without holding one.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, StorageError>, Never>) in
      let started = start {
        do throws(StorageError) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      if !started {
        continuation.resume(returning: .failure(StorageError(.unavailable, "the system has no thread left")))
      }
    }.get()
  }
}
