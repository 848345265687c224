// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats

/// The shared secret of platform and authenticator for one exchange.
struct PlatformSecret: Sendable {
  let version: PINUVAuthProtocol
  /// The platform's public key, from which the authenticator derives the same secret.
  let publicKey: COSEKey
  private let authenticationKey: SecretBytes
  private let encryptionKey: SecretBytes
  private let random: RandomSource

  /// `encapsulate(peer key)`.
  init(_ version: PINUVAuthProtocol, with peer: COSEKey, random: RandomSource) throws(ClientError) {
    let (publicKey, point) = try mapError(ClientError.init(answer:)) {
      let own = try KeyAgreement(random: random)
      return (own.publicKey, try own.sharedSecret(with: peer))
    }
    self.version = version
    self.publicKey = publicKey
    self.random = random
    switch version {
    case .one:
      authenticationKey = point.withBytes { (point) in SecretBytes(Digest.sha256(point)) }
      encryptionKey = authenticationKey
    case .two:
      authenticationKey = try Self.derive("CTAP2 HMAC key", from: point)
      encryptionKey = try Self.derive("CTAP2 AES key", from: point)
    }
  }

  private static func derive(_ label: String, from point: SecretBytes) throws(ClientError) -> SecretBytes {
    let salt = [UInt8](repeating: 0, count: 32)
    return try mapError(
      HKDF.derive(from: point, salt: salt, info: [UInt8](label.utf8), byteCount: 32),
      ClientError.init(answer:))
  }

  /// `encrypt(key, plaintext)`, for whole blocks. Protocol two puts its initialization vector in front.
  func encrypt(_ plaintext: SecretBytes) throws(ClientError) -> [UInt8] {
    try mapError(ClientError.init(answer:)) {
      let vector = version == .one ? AES256CBC.zeroVector : try random.bytes(AES256CBC.blockByteCount)
      let ciphertext = try plaintext.withBytes { (plaintext) throws(PasskeyCryptoError) in
        try AES256CBC.encrypt(plaintext, key: encryptionKey, initialVector: vector)
      }
      return version == .one ? ciphertext : vector + ciphertext
    }
  }

  /// `decrypt(key, ciphertext)`.
  func decrypt(_ ciphertext: some ByteSource) throws(ClientError) -> SecretBytes {
    let ciphertext = ciphertext.slice
    let vector = version == .one ? AES256CBC.zeroVector[...] : ciphertext.prefix(AES256CBC.blockByteCount)
    let blocks = version == .one ? ciphertext : ciphertext.dropFirst(AES256CBC.blockByteCount)
    return try mapError(AES256CBC.decrypt(blocks, key: encryptionKey, initialVector: vector), ClientError.init(answer:))
  }

  /// `authenticate(key, message)`.
  func authenticate(_ message: some ByteSource) -> [UInt8] {
    version.authenticate(message, key: authenticationKey)
  }
}
