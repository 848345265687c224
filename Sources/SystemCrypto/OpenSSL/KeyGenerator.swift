// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Makes new keys on one curve, from the system's randomness.
///
/// Kept by a thread: finding the curve by its name takes as long as making the key.
@safe final class KeyGenerator {
  private let pointer: OpaquePointer

  init(_ curve: EllipticCurve) throws(CryptoError) {
    unsafe pointer = try LibCrypto.require(EVP_PKEY_CTX_new_from_name(nil, "EC", nil), .unsupportedAlgorithm, "EC")
    try LibCrypto.require(unsafe EVP_PKEY_keygen_init(pointer))
    try LibCrypto.require(unsafe EVP_PKEY_CTX_set_group_name(pointer, curve.groupName.characters))
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(pointer)
  }

  func makeKey() throws(CryptoError) -> KeyHandle {
    var key: OpaquePointer?
    try LibCrypto.require(unsafe EVP_PKEY_generate(pointer, &key))
    return KeyHandle(owning: LibCrypto.allocated(key))
  }
}
