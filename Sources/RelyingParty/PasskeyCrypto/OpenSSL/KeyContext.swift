// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// A started operation of a key on digests: verification, signing or key agreement. It can be used any number of times,
/// by one thread at a time.
@safe final class KeyContext {
  private let pointer: OpaquePointer

  init(_ key: KeyHandle) throws(PasskeyCryptoError) {
    let made = key.withPointer { (key) in unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) }
    unsafe pointer = try LibCrypto.require(made)
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }

  /// How a digest is signed.
  enum Scheme {
    case ecdsa
    case rsaPKCS1(MessageDigest)
    case rsaPSS(MessageDigest)
    /// Raw RSA over a complete block, for an encoding made by the caller.
    case rsaBlock
  }

  // MARK: Verifying

  func startVerifying(_ scheme: Scheme) throws(PasskeyCryptoError) {
    try LibCrypto.require(unsafe EVP_PKEY_verify_init(pointer))
    try set(scheme)
  }

  func verify(_ signature: Bytes, digest: UnsafeBufferPointer<UInt8>) throws(PasskeyCryptoError) {
    let status = signature.withPointer { (start, count) in
      unsafe EVP_PKEY_verify(pointer, start, count, digest.baseAddress, digest.count)
    }
    try LibCrypto.require(status, .invalidSignature)
  }

  // MARK: Signing

  func startSigning(_ scheme: Scheme) throws(PasskeyCryptoError) {
    try LibCrypto.require(unsafe EVP_PKEY_sign_init(pointer))
    try set(scheme)
  }

  func sign(_ digest: UnsafeBufferPointer<UInt8>) throws(PasskeyCryptoError) -> [UInt8] {
    // The maximum size of a signature. Querying the exact length would make libcrypto compute the signature twice.
    let count = Int(unsafe EVP_PKEY_get_size(EVP_PKEY_CTX_get0_pkey(pointer)))
    var written = count
    var signature = try [UInt8](count: count) { (start) throws(PasskeyCryptoError) in
      try LibCrypto.require(unsafe EVP_PKEY_sign(pointer, start, &written, digest.baseAddress, digest.count))
    }
    signature.removeLast(count - min(count, written))
    return signature
  }

  // MARK: Agreeing

  /// Returns the x coordinate of the shared point, as long as the curve's field.
  func agree(with peer: KeyHandle) throws(PasskeyCryptoError) -> SecretBytes {
    try LibCrypto.require(unsafe EVP_PKEY_derive_init(pointer))
    let accepted = peer.withPointer { (peer) in unsafe EVP_PKEY_derive_set_peer(pointer, peer) }
    try LibCrypto.require(accepted, .invalidKey)
    var count = 0
    try LibCrypto.require(unsafe EVP_PKEY_derive(pointer, nil, &count))
    return try SecretBytes(count: count) { (start) throws(PasskeyCryptoError) in
      try LibCrypto.require(unsafe EVP_PKEY_derive(pointer, start, &count))
    }
  }

  private func set(_ scheme: Scheme) throws(PasskeyCryptoError) {
    switch scheme {
    case .ecdsa:
      break
    case .rsaPKCS1(let digest):
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING))
      try setSignatureDigest(digest)
    case .rsaPSS(let digest):
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING))
      try setSignatureDigest(digest)
      // RFC 8230 §2: the salt has the length of the hash.
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, RSA_PSS_SALTLEN_DIGEST))
      try LibCrypto.require(
        digest.withPointer { (digest) in unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(pointer, digest) })
    case .rsaBlock:
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_NO_PADDING))
    }
  }

  private func setSignatureDigest(_ digest: MessageDigest) throws(PasskeyCryptoError) {
    try LibCrypto.require(
      digest.withPointer { (digest) in unsafe EVP_PKEY_CTX_set_signature_md(pointer, digest) }, .unsupportedAlgorithm)
  }
}
