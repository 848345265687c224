// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The platform's half of hmac-secret (CTAP 2.3 §6.5.6, §6.5.7, §12.7), with preset keys and initialization vectors. It
/// shares no procedure with the authenticator, only cryptographic primitives.
struct W3CPRFExchange {
  /// The shared secret. In PIN protocol two it is the HMAC key followed by the encryption key.
  let sharedSecret: SecretBytes

  private let version: UInt64
  private let platformKey: COSEKey
  private let tagKey: SecretBytes
  private let cipherKey: SecretBytes

  init(_ version: UInt64, platform: [UInt8], device: [UInt8]) throws(PasskeyCryptoError) {
    self.version = version
    let agreement = try KeyAgreement(privateScalar: SecretBytes(platform[...]))
    platformKey = agreement.publicKey
    let point = try agreement.sharedSecret(with: KeyAgreement(privateScalar: SecretBytes(device[...])).publicKey)
    if version == 1 {
      sharedSecret = SecretBytes(Digest.sha256(point.exposedBytes[...])[...])
      tagKey = sharedSecret
      cipherKey = sharedSecret
    } else {
      let zeros = [UInt8](repeating: 0, count: 32)
      tagKey = try HKDF.derive(
        from: point, salt: zeros[...], info: [UInt8]("CTAP2 HMAC key".utf8)[...], byteCount: 32)
      cipherKey = try HKDF.derive(
        from: point, salt: zeros[...], info: [UInt8]("CTAP2 AES key".utf8)[...], byteCount: 32)
      sharedSecret = SecretBytes((tagKey.exposedBytes + cipherKey.exposedBytes)[...])
    }
  }

  func encrypt(_ plaintext: [UInt8], _ vector: [UInt8]) throws(PasskeyCryptoError) -> [UInt8] {
    let vector = version == 1 ? AES256CBC.zeroVector : vector
    let ciphertext = try AES256CBC.encrypt(plaintext[...], key: cipherKey, initialVector: vector[...])
    return version == 1 ? ciphertext : vector + ciphertext
  }

  func decrypt(_ ciphertext: [UInt8]) throws(PasskeyCryptoError) -> [UInt8] {
    let vector = version == 1 ? AES256CBC.zeroVector[...] : ciphertext.prefix(AES256CBC.blockByteCount)
    let blocks = version == 1 ? ciphertext[...] : ciphertext.dropFirst(AES256CBC.blockByteCount)
    return try AES256CBC.decrypt(blocks, key: cipherKey, initialVector: vector).exposedBytes
  }

  /// Returns the extension input. PIN protocol one truncates the tag to 16 bytes.
  func input(_ encryptedSalts: [UInt8]) -> HMACSecretInput {
    let tag = HMAC.tag(of: encryptedSalts[...], key: tagKey)
    return HMACSecretInput(
      keyAgreement: platformKey, encryptedSalts: encryptedSalts[...],
      saltAuthentication: (version == 1 ? [UInt8](tag.prefix(16)) : tag)[...], pinUVAuthProtocol: version)
  }
}
