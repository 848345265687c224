// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import COpenSSL
internal import Synchronization
internal import WireFormats

/// One use of a key on digests: verifying, signing or agreeing. Once started it serves any number of times, in one
/// thread at a time.
@safe final class KeyContext {
  private let pointer: OpaquePointer

  init(_ key: KeyHandle) throws(CryptoError) {
    let made = key.withPointer { (key) in unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) }
    unsafe pointer = try LibCrypto.require(made)
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }

  /// How a digest becomes a signature.
  enum Scheme {
    case ecdsa
    case rsaPKCS1(MessageDigest)
    case rsaPSS(MessageDigest)
    /// The whole block as it is, for an encoding that has been made already.
    case rsaBlock
  }

  // MARK: Verifying

  func startVerifying(_ scheme: Scheme) throws(CryptoError) {
    try LibCrypto.require(unsafe EVP_PKEY_verify_init(pointer))
    try set(scheme)
  }

  func verify(_ signature: Bytes, digest: UnsafeBufferPointer<UInt8>) throws(CryptoError) {
    let status = signature.withPointer { (start, count) in
      unsafe EVP_PKEY_verify(pointer, start, count, digest.baseAddress, digest.count)
    }
    try LibCrypto.require(status, .invalidSignature)
  }

  // MARK: Signing

  func startSigning(_ scheme: Scheme) throws(CryptoError) {
    try LibCrypto.require(unsafe EVP_PKEY_sign_init(pointer))
    try set(scheme)
  }

  func sign(_ digest: UnsafeBufferPointer<UInt8>) throws(CryptoError) -> [UInt8] {
    // As much as any signature by this key takes: asking for the length would have libcrypto compute it anew.
    let count = Int(unsafe EVP_PKEY_get_size(EVP_PKEY_CTX_get0_pkey(pointer)))
    var written = count
    var signature = try [UInt8](count: count) { (start) throws(CryptoError) in
      try LibCrypto.require(unsafe EVP_PKEY_sign(pointer, start, &written, digest.baseAddress, digest.count))
    }
    signature.removeLast(count - min(count, written))
    return signature
  }

  // MARK: Agreeing

  /// The x coordinate of the point that both sides come to, as long as the curve's field.
  func agree(with peer: KeyHandle) throws(CryptoError) -> SecretBytes {
    try LibCrypto.require(unsafe EVP_PKEY_derive_init(pointer))
    let accepted = peer.withPointer { (peer) in unsafe EVP_PKEY_derive_set_peer(pointer, peer) }
    try LibCrypto.require(accepted, .invalidKey)
    var count = 0
    try LibCrypto.require(unsafe EVP_PKEY_derive(pointer, nil, &count))
    return try SecretBytes(count: count) { (start) throws(CryptoError) in
      try LibCrypto.require(unsafe EVP_PKEY_derive(pointer, start, &count))
    }
  }

  private func set(_ scheme: Scheme) throws(CryptoError) {
    switch scheme {
    case .ecdsa:
      break
    case .rsaPKCS1(let digest):
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING))
      try setSignatureDigest(digest)
    case .rsaPSS(let digest):
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING))
      try setSignatureDigest(digest)
      // RFC 8230 §2: the salt is as long as the hash, and no other length is accepted.
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, RSA_PSS_SALTLEN_DIGEST))
      try LibCrypto.require(
        digest.withPointer { (digest) in unsafe EVP_PKEY_CTX_set_rsa_mgf1_md(pointer, digest) })
    case .rsaBlock:
      try LibCrypto.require(unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_NO_PADDING))
    }
  }

  private func setSignatureDigest(_ digest: MessageDigest) throws(CryptoError) {
    try LibCrypto.require(
      digest.withPointer { (digest) in unsafe EVP_PKEY_CTX_set_signature_md(pointer, digest) }, .unsupportedAlgorithm)
  }
}

/// Room for one started context of a key, so that a key which signs often starts one once.
///
/// Whoever takes it has it alone. A second thread finds the room empty and starts a context of its own; of two that are
/// put back one is kept.
final class ContextSlot: @unchecked Sendable {  // `kept` belongs to whoever has closed the door.
  private let isClosed = Atomic(false)
  private var kept: KeyContext?

  /// The context, where one is there. Nobody else has it until it is put back.
  func take() -> KeyContext? {
    guard close() else { return nil }
    defer { isClosed.store(false, ordering: .releasing) }
    defer { kept = nil }
    return kept
  }

  /// Keeps a context for whoever signs next.
  func put(_ context: KeyContext) {
    guard close() else { return }
    defer { isClosed.store(false, ordering: .releasing) }
    kept = context
  }

  /// Whether the door was open. Nobody waits at it: a new context takes less time than a wait might.
  private func close() -> Bool {
    !isClosed.exchange(true, ordering: .acquiring)
  }
}
