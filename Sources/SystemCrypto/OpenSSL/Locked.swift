// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import WireFormats

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

/// A secret in memory that is never swapped out or written into a core file, and is wiped when it is released.
///
/// The memory is libcrypto's secure heap: locked pages between guard pages, 64 KiB in all. It is made with the first secret
/// and stays for the life of the process.
@safe public final class LockedSecret: @unchecked Sendable {  // Written only by `init` and `deinit`.
  private let start: UnsafeMutableRawPointer
  private let count: Int

  // 64 KiB  [what an ordinary user may lock on every Linux; enough for hundreds of secrets]
  private static let heapByteCount = 64 << 10
  private static let smallestBlock = 32

  /// Whether the system lets this process lock memory. Where it does not, secrets are held in ordinary memory.
  public static let isAvailable = CRYPTO_secure_malloc_init(heapByteCount, smallestBlock) == 1

  /// Takes a copy of a secret; nil where there is no room.
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

  /// Lends a copy of the secret, in ordinary memory, which is wiped when it is released.
  public var secret: SecretBytes {
    SecretBytes(count: count) { (destination) in
      unsafe destination.update(from: start.assumingMemoryBound(to: UInt8.self), count: count)
    }
  }
}
