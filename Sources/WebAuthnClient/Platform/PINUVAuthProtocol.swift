// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

/// The platform's half of a PIN/UV auth protocol (CTAP 2.3 §6.5.4).
enum PINUVAuthProtocol: UInt64, CaseIterable, Sendable {
  /// §6.5.6
  case one = 1
  /// §6.5.7
  case two = 2

  /// The first of the authenticator's that is known. Before CTAP 2.1 there was only the first, and no list of them.
  init?(of info: AuthenticatorInfo) {
    let offered = info.pinUVAuthProtocols.isEmpty && info.options["clientPin"] != nil ? [1] : info.pinUVAuthProtocols
    guard let known = offered.lazy.compactMap(Self.init(rawValue:)).first else { return nil }
    self = known
  }

  /// `authenticate(key, message)`.
  func authenticate(_ message: Bytes, key: SecretBytes) -> [UInt8] {
    let tag = HMAC.tag(of: message, key: key)
    return self == .one ? [UInt8](tag.prefix(16)) : tag
  }
}

/// A token that an authenticator issued for what a user allowed.
struct PINUVAuthToken: Sendable {
  let version: PINUVAuthProtocol
  private let bytes: SecretBytes

  // 16 or 32 bytes by the first protocol, 32 by the second [§6.5.6, §6.5.7]
  init(_ bytes: SecretBytes, _ version: PINUVAuthProtocol) throws(ClientError) {
    guard bytes.count == 32 || version == .one && bytes.count == 16 else {
      throw ClientError(.authenticatorAnswerInvalid, "a token of \(bytes.count) bytes")
    }
    self.bytes = bytes
    self.version = version
  }

  /// What shows an authenticator that the platform has the token.
  func authenticate(_ message: Bytes) -> Bytes {
    version.authenticate(message, key: bytes)[...]
  }
}

/// What platform and authenticator share for one exchange.
struct PlatformSecret: Sendable {
  let version: PINUVAuthProtocol
  /// What the authenticator makes the same secret with.
  let publicKey: COSEKey
  private let authenticationKey: SecretBytes
  private let encryptionKey: SecretBytes
  private let random: RandomSource

  /// `encapsulate(peer key)`.
  init(_ version: PINUVAuthProtocol, with peer: COSEKey, random: RandomSource) throws(ClientError) {
    let (publicKey, point) = try ClientError.wrapping { () throws(CryptoError) in
      let own = try KeyAgreement(random: random)
      return (own.publicKey, try own.sharedSecret(with: peer))
    }
    self.version = version
    self.publicKey = publicKey
    self.random = random
    switch version {
    case .one:
      authenticationKey = point.withBytes { (point) in SecretBytes(Digest.sha256(point)[...]) }
      encryptionKey = authenticationKey
    case .two:
      authenticationKey = try Self.derive("CTAP2 HMAC key", from: point)
      encryptionKey = try Self.derive("CTAP2 AES key", from: point)
    }
  }

  private static func derive(_ label: String, from point: SecretBytes) throws(ClientError) -> SecretBytes {
    let salt = [UInt8](repeating: 0, count: 32)
    return try ClientError.wrapping { () throws(CryptoError) in
      try HKDF.derive(from: point, salt: salt[...], info: [UInt8](label.utf8)[...], byteCount: 32)
    }
  }

  /// `encrypt(key, plaintext)`, whole blocks; the second protocol puts its initialisation vector in front.
  func encrypt(_ plaintext: SecretBytes) throws(ClientError) -> [UInt8] {
    try ClientError.wrapping { () throws(CryptoError) in
      let vector = version == .one ? AES256CBC.zeroVector : try random.bytes(AES256CBC.blockByteCount)
      let ciphertext = try plaintext.withBytes { (plaintext) throws(CryptoError) in
        try AES256CBC.encrypt(plaintext, key: encryptionKey, initialVector: vector[...])
      }
      return version == .one ? ciphertext : vector + ciphertext
    }
  }

  /// `decrypt(key, ciphertext)`.
  func decrypt(_ ciphertext: Bytes) throws(ClientError) -> SecretBytes {
    let vector = version == .one ? AES256CBC.zeroVector[...] : ciphertext.prefix(AES256CBC.blockByteCount)
    let blocks = version == .one ? ciphertext : ciphertext.dropFirst(AES256CBC.blockByteCount)
    return try ClientError.wrapping { () throws(CryptoError) in
      try AES256CBC.decrypt(blocks, key: encryptionKey, initialVector: vector)
    }
  }

  /// `authenticate(key, message)`.
  func authenticate(_ message: Bytes) -> [UInt8] {
    version.authenticate(message, key: authenticationKey)
  }
}
