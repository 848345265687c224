// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

/// A signature operation on whole messages, for EdDSA and ML-DSA, which take no digest.
@safe final class MessageContext {
  private let pointer: OpaquePointer
  private let key: KeyHandle

  init(_ key: KeyHandle) {
    unsafe pointer = LibCrypto.allocated(EVP_MD_CTX_new())
    self.key = key
  }

  deinit {
    unsafe EVP_MD_CTX_free(pointer)
  }

  func verify(_ signature: Bytes, over message: Bytes) throws(PasskeyCryptoError) {
    let started = key.withPointer { (key) in
      unsafe EVP_DigestVerifyInit_ex(pointer, nil, nil, nil, nil, key, nil)
    }
    try LibCrypto.require(started)
    let status = signature.withPointer { (signature, signatureCount) in
      message.withPointer { (message, messageCount) in
        unsafe EVP_DigestVerify(pointer, signature, signatureCount, message, messageCount)
      }
    }
    try LibCrypto.require(status, .invalidSignature)
  }

  /// Signs a message. `withoutRandomness` selects the deterministic variant of ML-DSA (FIPS 204 §3.4); EdDSA ignores
  /// it.
  func sign(_ message: Bytes, withoutRandomness: Bool) throws(PasskeyCryptoError) -> [UInt8] {
    var keyContext: OpaquePointer?
    let started = key.withPointer { (key) in
      unsafe EVP_DigestSignInit_ex(pointer, &keyContext, nil, nil, nil, key, nil)
    }
    try LibCrypto.require(started)
    if withoutRandomness { try unsafe setDeterministic(keyContext) }
    return try message.withPointer { (message, messageCount) throws(PasskeyCryptoError) in
      var count = 0
      try LibCrypto.require(unsafe EVP_DigestSign(pointer, nil, &count, message, messageCount))
      return try [UInt8](count: count) { (start) throws(PasskeyCryptoError) in
        try LibCrypto.require(unsafe EVP_DigestSign(pointer, start, &count, message, messageCount))
      }
    }
  }

  private func setDeterministic(_ keyContext: OpaquePointer?) throws(PasskeyCryptoError) {
    var deterministic: CInt = 1
    let name: StaticString = "deterministic"
    let status = unsafe withUnsafeMutablePointer(to: &deterministic) { (value) in
      var list = unsafe [OSSL_PARAM_construct_int(name.characters, value), OSSL_PARAM_construct_end()]
      return unsafe EVP_PKEY_CTX_set_params(keyContext, &list)
    }
    try LibCrypto.require(status)
  }
}
