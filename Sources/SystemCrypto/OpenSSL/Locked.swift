// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import WireFormats

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

/// A secret in memory that is never swapped out or included in a core file, and is wiped when released.
///
/// It uses libcrypto's secure heap: 64 KiB of locked pages between guard pages, allocated with the first secret for the
/// life of the process.
@safe public final class LockedSecret: @unchecked Sendable {  // Written only by `init` and `deinit`.
  private let start: UnsafeMutableRawPointer
  private let count: Int

  // 64 KiB [the amount an unprivileged user may lock on every Linux; enough for hundreds of secrets]
  private static let heapByteCount = 64 << 10
  private static let smallestBlock = 32

  /// Whether the system lets this process lock memory. If not, secrets are held in ordinary memory.
  public static let isAvailable = CRYPTO_secure_malloc_init(heapByteCount, smallestBlock) == 1

  /// Copies a secret; `nil` if the secure heap is full.
  public init?(_ secret: SecretBytes) {
    _ = Self.isAvailable
    guard let start = unsafe CRYPTO_secure_malloc(max(1, secret.count), nil, 0) else { return nil }
    unsafe self.start = unsafe start
    count = secret.count
    secret.withBytes { (bytes) in
      bytes.withPointer { (source, count) in unsafe start.copyMemory(from: source, byteCount: count) }
    }
  }

  deinit {
    unsafe CRYPTO_secure_clear_free(start, count, nil, 0)
  }

  /// A copy of the secret in ordinary memory, which is wiped when released.
  public var secret: SecretBytes {
    SecretBytes(count: count) { (destination) in
      unsafe destination.update(from: start.assumingMemoryBound(to: UInt8.self), count: count)
    }
  }
}
