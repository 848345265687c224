// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

// CTAP 2.3, §12.7, hmac-secret: outputs computed from a credential's secret and the platform's salts.

/// The platform's decrypted salts, and the shared keys that encrypt the outputs.
struct HMACSecretSalts: Sendable {
  private let shared: SharedSecret
  private let salts: SecretBytes

  static let saltByteCount = 32

  /// Verifies the tag of the encrypted salts, then decrypts them.
  init(_ input: HMACSecretInput, _ shared: SharedSecret) throws(CTAPError) {
    try shared.verify(input.saltAuthentication, of: input.encryptedSalts)
    let salts = try shared.decrypt(input.encryptedSalts, failure: .invalidLength)
    guard salts.count == Self.saltByteCount || salts.count == 2 * Self.saltByteCount else {
      throw CTAPError(.invalidLength, "\(salts.count) bytes of salts")
    }
    self.shared = shared
    self.salts = salts
  }

  /// Returns the encrypted outputs, one for each salt. `isUserVerified` selects the secret.
  func output(
    of secrets: ExtensionSecrets, isUserVerified: Bool, random: RandomSource
  ) throws(CTAPError) -> [UInt8] {
    let secret = isUserVerified ? secrets.withVerification : secrets.withoutVerification
    let outputs = salts.withBytes { (salts) in
      var outputs: [UInt8] = []
      var rest = salts
      while !rest.isEmpty {
        outputs += HMAC.tag(of: rest.prefix(Self.saltByteCount), key: secret)
        rest = rest.dropFirst(Self.saltByteCount)
      }
      return SecretBytes(outputs)
    }
    return try shared.encrypt(outputs, random: random)
  }
}

extension ExtensionSecrets {
  private static let byteCount = 32

  /// Generates new secrets (CredRandomWithUV and CredRandomWithoutUV).
  init(random: RandomSource) throws(PasskeyCryptoError) {
    self.init(
      withVerification: try random.secret(Self.byteCount), withoutVerification: try random.secret(Self.byteCount))
  }
}

extension SoftwareAuthenticator {
  /// Decrypts the salts of an input. Uses protocol one if the platform names none.
  func openSalts(_ input: HMACSecretInput) throws(CTAPError) -> HMACSecretSalts {
    let version = try PINProtocol(number: input.pinUVAuthProtocol ?? UInt64(PINProtocol.one.rawValue))
    return try HMACSecretSalts(input, sharedSecret(version, with: input.keyAgreement))
  }
}
