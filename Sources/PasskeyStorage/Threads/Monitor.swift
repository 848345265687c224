// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A value that one thread at a time may use, and whose changes threads may wait for.
///
/// It waits in the thread that it is called in: only a ``WorkerThread`` may do that, never a thread of Swift's own pool.
@safe final class Monitor<Value>: @unchecked Sendable {  // Every access goes through the lock.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Looks at the value, or changes it; who waits for it looks again afterwards.
  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Changes the value so that one of those who wait has something to do, whichever it is; or none, where `body` says so.
  func change<Failure: Error>(_ body: (inout Value) throws(Failure) -> Bool) throws(Failure) {
    unsafe pthread_mutex_lock(mutex)
    var wakesOne = false
    defer {
      unsafe pthread_mutex_unlock(mutex)
      if wakesOne { unsafe pthread_cond_signal(condition) }
    }
    wakesOne = try body(&value)
  }

  /// Waits until `body` has a result.
  func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}
