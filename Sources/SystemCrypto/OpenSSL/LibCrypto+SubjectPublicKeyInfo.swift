// SPDX-License-Identifier: Apache-2.0

package import COSE
internal import COpenSSL

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
