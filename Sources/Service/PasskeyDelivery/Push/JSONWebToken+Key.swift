// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService

extension JSONWebToken {
  /// Reads a private key in PEM: one block of PKCS#8.
  ///
  /// - Throws: `delivery.key-invalid`.
  static func key(_ algorithm: COSEAlgorithm, pem: SecretBytes) throws(DeliveryError) -> SigningKey {
    let blocks = pem.withBytes { (text) in try? PEM.blocks(in: text) }
    guard let block = blocks?.first, blocks?.count == 1, block.label == "PRIVATE KEY",
      let key = try? SigningKey(algorithm, pkcs8: SecretBytes(block.bytes))
    else { throw DeliveryError(.keyInvalid, "use a file with one private key for \(algorithm), PEM, no password") }
    return key
  }
}
