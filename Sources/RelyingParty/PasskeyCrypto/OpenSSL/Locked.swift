// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

/// A value protected by one of libcrypto's locks. Thread-safe.
///
/// The standard library's `Mutex` is not used because on Linux the thread sanitizer does not recognize it and reports
/// every access as a race. `Value` must not be empty: the sanitizer takes an empty value such as `()` for the start of
/// the object, which a thread reads before it locks. Use a number if there is nothing to protect.
@safe final class Locked<Value>: @unchecked Sendable {  // Every access goes through the lock.
  private let lock: UnsafeMutableRawPointer
  private var value: Value

  init(_ value: sending Value) {
    unsafe lock = LibCrypto.allocated(CRYPTO_THREAD_lock_new())
    self.value = value
  }

  deinit {
    unsafe CRYPTO_THREAD_lock_free(lock)
  }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let locked = unsafe CRYPTO_THREAD_write_lock(lock)
    precondition(locked == 1, "CRYPTO_THREAD_write_lock failed")
    defer { unsafe CRYPTO_THREAD_unlock(lock) }
    return try body(&value)
  }
}
