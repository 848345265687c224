// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A value behind a lock. Threads can wait until the value has changed.
///
/// The `wait` methods block the calling thread. Call them on a ``SystemThread``, never on a thread of Swift's cooperative
/// pool.
///
/// A POSIX mutex guards the value. On Linux the thread sanitizer does not recognize the standard library's `Mutex` and
/// reports each correct use of it as a race.
@safe package final class Locked<Value>: @unchecked Sendable {  // The mutex guards every access to `value`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  package init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    self.value = value
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    // Deadlines must not move when an administrator sets the clock.
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Reads or changes the value without waking the threads in `wait`.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Changes the value and wakes all threads in `wait`, which then look at it again.
  package func update<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_mutex_unlock(mutex)
      unsafe pthread_cond_broadcast(condition)
    }
    return try body(&value)
  }

  /// Changes the value and wakes one thread in `wait` if `body` returns true. Any of them must be able to handle the change.
  package func updateWakingOne<Failure: Error>(_ body: (inout Value) throws(Failure) -> Bool) throws(Failure) {
    var wakesOne = false
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_mutex_unlock(mutex)
      if wakesOne { unsafe pthread_cond_signal(condition) }
    }
    wakesOne = try body(&value)
  }

  /// Blocks until `body` returns a result. It is called at once and after each update.
  package func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }

  /// Blocks until `body` returns a result, at most until `deadline`.
  ///
  /// - Returns: The result, or nil if the deadline passed first.
  package func wait<Result>(until deadline: ContinuousClock.Instant, for body: (inout Value) -> Result?) -> Result? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      var moment = timespec(monotonicAfter: left)
      unsafe pthread_cond_timedwait(condition, mutex, &moment)
    }
  }
}

extension timespec {
  /// The time of the monotonic clock after `duration`, which is cut to a year.
  fileprivate init(monotonicAfter duration: Duration) {
    self.init()
    unsafe clock_gettime(CLOCK_MONOTONIC, &self)
    let (seconds, attoseconds) = min(duration, .seconds(31_536_000)).components
    let nanoseconds = tv_nsec + Int(attoseconds / 1_000_000_000)
    tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    tv_nsec = nanoseconds % 1_000_000_000
  }
}
