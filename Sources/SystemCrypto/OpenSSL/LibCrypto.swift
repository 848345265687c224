// SPDX-License-Identifier: Apache-2.0

package import COSE
internal import COpenSSL

/// What every call into libcrypto has in common: a refusal leaves nothing behind in its error queue.
package enum LibCrypto {
  /// Demands that a call said 1. libcrypto says 0 or less for every other outcome.
  @safe static func require(
    _ status: CInt, _ code: CryptoError.Code = .libraryFailure, _ detail: @autoclosure () -> String? = nil
  ) throws(CryptoError) {
    guard status == 1 else { throw refusal(code, detail()) }
  }

  /// Demands that a call made something.
  @safe static func require(
    _ made: OpaquePointer?, _ code: CryptoError.Code = .libraryFailure, _ detail: @autoclosure () -> String? = nil
  ) throws(CryptoError) -> OpaquePointer {
    guard let made = unsafe made else { throw refusal(code, detail()) }
    return unsafe made
  }

  /// What a call that only allocates has made. Without memory Swift's own allocations trap too.
  @safe static func allocated<Pointer>(_ made: Pointer?) -> Pointer {
    guard let made else { fatalError("libcrypto is out of memory") }
    return made
  }

  /// Empties the calling thread's error queue.
  static func clearErrors() {
    ERR_clear_error()
  }

  /// Whether the calling thread's error queue is empty, as it is after every call to this module.
  package static var errorQueueIsEmpty: Bool {
    ERR_peek_error() == 0
  }

  /// The version of the library that is running, which need not be that of the headers.
  package static var version: String {
    guard let text = unsafe OpenSSL_version(OPENSSL_VERSION_STRING) else { return "unknown" }
    return unsafe String(cString: text)
  }

  private static func refusal(_ code: CryptoError.Code, _ detail: String?) -> CryptoError {
    clearErrors()
    return CryptoError(code, detail)
  }
}

extension LibCrypto {
  /// The DER that the library itself writes for a key, against which ours is held.
  package static func subjectPublicKeyInfo(of material: COSEKey.Material) throws(CryptoError) -> [UInt8] {
    try KeyHandle.publicKey(material).withPointer { (key) throws(CryptoError) in
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
  static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try [UInt8](count: count) { (start) throws(CryptoError) in
      try LibCrypto.require(unsafe RAND_bytes_ex(nil, start, count, 0), .randomnessUnavailable)
    }
  }

  static func secret(_ count: Int) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: count) { (start) throws(CryptoError) in
      try LibCrypto.require(unsafe RAND_priv_bytes_ex(nil, start, count, 0), .randomnessUnavailable)
    }
  }
}
