// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats

/// The platform's side of the two PIN/UV auth protocols (CTAP 2.3 §6.5.6, §6.5.7), implemented from the standard. It
/// shares only the cryptographic primitives with the device.
enum TestPINProtocol: UInt64, CaseIterable {
  case one = 1
  case two = 2

  /// Performs the key agreement with the key that a device sent.
  func encapsulate(_ deviceKey: COSEKey) throws -> TestSecret {
    let agreement = try KeyAgreement(random: .system)
    let point = try agreement.sharedSecret(with: deviceKey)
    let publicKey = agreement.publicKey.tree
    switch self {
    case .one:
      let key = SecretBytes(Digest.sha256(point.exposedBytes[...])[...])
      return TestSecret(version: self, platformKey: publicKey, macKey: key, cipherKey: key)
    case .two:
      let zeros = [UInt8](repeating: 0, count: 32)
      return TestSecret(
        version: self, platformKey: publicKey,
        macKey: try HKDF.derive(
          from: point, salt: zeros[...], info: [UInt8]("CTAP2 HMAC key".utf8)[...], byteCount: 32),
        cipherKey: try HKDF.derive(
          from: point, salt: zeros[...], info: [UInt8]("CTAP2 AES key".utf8)[...], byteCount: 32))
    }
  }

  /// Returns the authentication tag of a message: whole, or in protocol one its first half.
  func authenticate(_ message: [UInt8], _ key: SecretBytes) -> [UInt8] {
    let tag = HMAC.tag(of: message[...], key: key)
    return self == .one ? [UInt8](tag.prefix(16)) : tag
  }
}

/// The shared secret of a platform and the device.
struct TestSecret {
  let version: TestPINProtocol
  let platformKey: CBORTree
  let macKey: SecretBytes
  let cipherKey: SecretBytes

  func encrypt(_ plaintext: [UInt8]) throws -> [UInt8] {
    let vector = version == .one ? [UInt8](repeating: 0, count: 16) : try RandomSource.system.bytes(16)
    let ciphertext = try AES256CBC.encrypt(plaintext[...], key: cipherKey, initialVector: vector[...])
    return version == .one ? ciphertext : vector + ciphertext
  }

  func decrypt(_ ciphertext: [UInt8]) throws -> SecretBytes {
    switch version {
    case .one:
      try AES256CBC.decrypt(
        ciphertext[...], key: cipherKey, initialVector: [UInt8](repeating: 0, count: 16)[...])
    case .two:
      try AES256CBC.decrypt(ciphertext.dropFirst(16), key: cipherKey, initialVector: ciphertext.prefix(16))
    }
  }

  func authenticate(_ message: [UInt8]) -> [UInt8] {
    version.authenticate(message, macKey)
  }
}
