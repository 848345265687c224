// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
package import PasskeyCOSE

/// Error handling for calls into libcrypto. Clears the error queue after each failure.
package enum LibCrypto {
  /// Starts libcrypto without its clean-up at exit. Code that may be the first to call libcrypto calls this before.
  ///
  /// The clean-up deletes what other threads still use: a thread that signs while the program ends could crash, and one
  /// that ends after the clean-up leaks its random generator.
  package static func start() { isStarted }

  private static let isStarted: Void = {
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
  }()

  /// Checks that a call returned 1. libcrypto returns 0 or less on failure.
  @safe static func require(
    _ status: CInt, _ code: PasskeyCryptoError.Code = .libraryFailure, _ detail: @autoclosure () -> String? = nil
  ) throws(PasskeyCryptoError) {
    guard status == 1 else { throw refusal(code, detail()) }
  }

  /// Checks that a call returned a pointer.
  @safe static func require(
    _ made: OpaquePointer?, _ code: PasskeyCryptoError.Code = .libraryFailure,
    _ detail: @autoclosure () -> String? = nil
  ) throws(PasskeyCryptoError) -> OpaquePointer {
    guard let made = unsafe made else { throw refusal(code, detail()) }
    return unsafe made
  }

  /// Returns the pointer of a call that only allocates. Traps without memory, as Swift's allocations do.
  @safe static func allocated<Pointer>(_ made: Pointer?) -> Pointer {
    guard let made else { fatalError("libcrypto is out of memory") }
    return made
  }

  /// Clears the calling thread's error queue. Other users of libcrypto may have left errors there.
  package static func clearErrors() {
    ERR_clear_error()
  }

  /// Whether the calling thread's error queue is empty, as it is after every call to this module.
  package static var errorQueueIsEmpty: Bool {
    ERR_peek_error() == 0
  }

  /// The version of the running library, which may differ from that of the headers.
  package static var version: String {
    guard let text = unsafe OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
    return unsafe String(cString: text)
  }

  private static func refusal(_ code: PasskeyCryptoError.Code, _ detail: String?) -> PasskeyCryptoError {
    clearErrors()
    return PasskeyCryptoError(code, detail)
  }
}

extension LibCrypto {
  /// Returns libcrypto's DER encoding of a key, to compare ours with.
  package static func subjectPublicKeyInfo(of material: COSEKey.Material) throws(PasskeyCryptoError) -> [UInt8] {
    try KeyHandle.publicKey(material).withPointer { (key) throws(PasskeyCryptoError) in
      let count = Int(unsafe i2d_PUBKEY(key, nil))
      return [UInt8](count: count) { (start) in
        var position: UnsafeMutablePointer<UInt8>? = unsafe start
        _ = unsafe i2d_PUBKEY(key, &position)
      }
    }
  }
}

/// libcrypto's random generators, seeded by the system.
enum SystemRandom {
  static func bytes(_ count: Int) throws(PasskeyCryptoError) -> [UInt8] {
    LibCrypto.start()
    return try [UInt8](count: count) { (start) throws(PasskeyCryptoError) in
      try LibCrypto.require(unsafe RAND_bytes_ex(nil, start, count, 0), .randomnessUnavailable)
    }
  }

  static func secret(_ count: Int) throws(PasskeyCryptoError) -> SecretBytes {
    LibCrypto.start()
    return try SecretBytes(count: count) { (start) throws(PasskeyCryptoError) in
      try LibCrypto.require(unsafe RAND_priv_bytes_ex(nil, start, count, 0), .randomnessUnavailable)
    }
  }
}
