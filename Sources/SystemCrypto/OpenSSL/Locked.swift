// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// A value that one thread at a time may use, behind one of libcrypto's locks.
///
/// The standard library's `Mutex` would do, but for this: on Linux the thread sanitizer does not see it lock, and calls
/// every use of it a race. The value has to have a size, and be a number where nothing else is to be kept: to the sanitizer
/// one of none, as `()`, lies at the beginning of the object itself, which whoever is about to lock reads.
@safe package final class Locked<Value>: @unchecked Sendable {  // Every access goes through the lock.
  private let lock: UnsafeMutableRawPointer
  private var value: Value

  package init(_ value: sending Value) {
    unsafe lock = LibCrypto.allocated(CRYPTO_THREAD_lock_new())
    self.value = value
  }

  deinit {
    unsafe CRYPTO_THREAD_lock_free(lock)
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let locked = unsafe CRYPTO_THREAD_write_lock(lock)
    precondition(locked == 1, "a lock that does not lock")
    defer { unsafe CRYPTO_THREAD_unlock(lock) }
    return try body(&value)
  }
}
