// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The PIN/UV auth protocols, which encrypt and authenticate between platform and device (CTAP 2.3 §6.5.4).
enum PINProtocol: UInt8, CaseIterable, Sendable {
  /// PIN/UV auth protocol one (§6.5.6).
  case one = 1
  /// PIN/UV auth protocol two (§6.5.7).
  case two = 2

  /// Parses a protocol number. Throws `MISSING_PARAMETER` for nil and `INVALID_PARAMETER` for an unsupported number.
  init(number: UInt64?) throws(CTAPError) {
    guard let number else { throw CTAPError(.missingParameter, "pinUvAuthProtocol") }
    guard let version = UInt8(exactly: number).flatMap(Self.init(rawValue:)) else {
      throw CTAPError(.invalidParameter, "PIN/UV auth protocol \(number)")
    }
    self = version
  }

  /// Derives the shared keys from the ECDH key agreement.
  func sharedSecret(_ agreement: KeyAgreement, with platformKey: COSEKey) throws(CTAPError) -> SharedSecret {
    do throws(PasskeyCryptoError) {
      let point = try agreement.sharedSecret(with: platformKey)
      switch self {
      case .one:
        let key = point.withBytes { (point) in SecretBytes(Digest.sha256(point)) }
        return SharedSecret(version: self, authenticationKey: key, encryptionKey: key)
      case .two:
        let zeros = [UInt8](repeating: 0, count: 32)
        return SharedSecret(
          version: self,
          authenticationKey: try HKDF.derive(
            from: point, salt: zeros, info: [UInt8]("CTAP2 HMAC key".utf8), byteCount: 32),
          encryptionKey: try HKDF.derive(
            from: point, salt: zeros, info: [UInt8]("CTAP2 AES key".utf8), byteCount: 32))
      }
    } catch {
      throw CTAPError(.invalidParameter, "\(error)")
    }
  }

  /// Verifies the tag of `message` under `key`, in constant time. Protocol one truncates the tag to 16 bytes.
  func verify(_ tag: Bytes, of message: Bytes, key: SecretBytes) throws(CTAPError) {
    let whole = HMAC.tag(of: message, key: key)
    guard constantTimeEquals(tag, whole.prefix(tagByteCount)) else { throw CTAPError(.pinAuthInvalid) }
  }

  private var tagByteCount: Int {
    switch self {
    case .one: 16
    case .two: 32
    }
  }
}

/// The keys that a platform and the device share for one exchange.
struct SharedSecret: Sendable {
  let version: PINProtocol
  let authenticationKey: SecretBytes
  let encryptionKey: SecretBytes

  /// Encrypts whole blocks. Protocol two prepends a random initialization vector.
  func encrypt(_ plaintext: SecretBytes, random: RandomSource) throws(CTAPError) -> [UInt8] {
    try mapError(CTAPError.init(other:)) {
      let vector = version == .one ? AES256CBC.zeroVector : try random.bytes(AES256CBC.blockByteCount)
      let ciphertext = try plaintext.withBytes { (plaintext) throws(PasskeyCryptoError) in
        try AES256CBC.encrypt(plaintext, key: encryptionKey, initialVector: vector)
      }
      return version == .one ? ciphertext : vector + ciphertext
    }
  }

  /// Decrypts whole blocks. Throws `failure` if that fails.
  func decrypt(
    _ ciphertext: Bytes, failure: CTAPStatus = .invalidParameter
  ) throws(CTAPError) -> SecretBytes {
    do throws(PasskeyCryptoError) {
      switch version {
      case .one:
        return try AES256CBC.decrypt(ciphertext, key: encryptionKey, initialVector: AES256CBC.zeroVector)
      case .two:
        guard ciphertext.count >= AES256CBC.blockByteCount else { throw PasskeyCryptoError(.invalidLength) }
        return try AES256CBC.decrypt(
          ciphertext.dropFirst(AES256CBC.blockByteCount), key: encryptionKey,
          initialVector: ciphertext.prefix(AES256CBC.blockByteCount))
      }
    } catch {
      throw CTAPError(failure, "\(error)")
    }
  }

  /// Verifies the tag of `message`.
  func verify(_ tag: Bytes, of message: Bytes) throws(CTAPError) {
    try version.verify(tag, of: message, key: authenticationKey)
  }
}
