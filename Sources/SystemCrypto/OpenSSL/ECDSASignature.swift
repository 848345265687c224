// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The DER form of an ECDSA signature (RFC 3279 §2.2.3): a sequence of r and s.
enum ECDSASignature {
  static func encode(r: BigNumber, s: BigNumber) throws(CryptoError) -> [UInt8] {
    let signature = unsafe LibCrypto.allocated(ECDSA_SIG_new())
    defer { unsafe ECDSA_SIG_free(signature) }
    let status = r.withPointer { (r) in
      s.withPointer { (s) in
        // The signature takes what it is given, so it is given copies.
        unsafe ECDSA_SIG_set0(signature, LibCrypto.allocated(BN_dup(r)), LibCrypto.allocated(BN_dup(s)))
      }
    }
    try LibCrypto.require(status)
    let count = Int(unsafe i2d_ECDSA_SIG(signature, nil))
    return [UInt8](count: count) { (start) in
      var position: UnsafeMutablePointer<UInt8>? = unsafe start
      _ = unsafe i2d_ECDSA_SIG(signature, &position)
    }
  }
}
