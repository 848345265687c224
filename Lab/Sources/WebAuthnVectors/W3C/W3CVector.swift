// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE

/// The parameters of one pair of ceremonies in WebAuthn Level 3's section "Test Vectors".
///
/// Its name is the label from which its random values derive.
struct W3CVector: Sendable {
  let name: String
  let algorithm: COSEAlgorithm
  let attestation: W3CAttestation
  var embedding = Embedding.none
  var challengeByteCount = 32
  var credentialIDByteCount = 32

  /// How the page is embedded.
  enum Embedding: Sendable {
    /// The page is not embedded.
    case none
    /// A page of another origin embeds it; the client data do not name that origin.
    case foreign
    /// A page of another origin embeds it; the client data name that origin.
    case named
  }

  /// Every vector, in the standard's order.
  static let all = [
    W3CVector(name: "none.ES256", algorithm: .es256, attestation: .none),
    W3CVector(name: "packed-self.ES256", algorithm: .es256, attestation: .selfSigned),
    W3CVector(name: "none.ES256.crossOrigin", algorithm: .es256, attestation: .none, embedding: .foreign),
    W3CVector(name: "none.ES256.topOrigin", algorithm: .es256, attestation: .none, embedding: .named),
    W3CVector(
      name: "none.ES256.long-credential-id", algorithm: .es256, attestation: .none, credentialIDByteCount: 1023),
    W3CVector(name: "packed.ES256", algorithm: .es256, attestation: .packed),
    W3CVector(name: "packed.ES384", algorithm: .es384, attestation: .packed),
    W3CVector(name: "packed.ES512", algorithm: .es512, attestation: .packed, challengeByteCount: 128),
    W3CVector(name: "packed.RS256", algorithm: .rs256, attestation: .packed),
    W3CVector(name: "packed.EdDSA", algorithm: .eddsa, attestation: .packed),
    W3CVector(name: "packed.Ed448", algorithm: .ed448, attestation: .packed),
    W3CVector(name: "tpm.ES256", algorithm: .es256, attestation: .tpm),
    W3CVector(name: "android-key.ES256", algorithm: .es256, attestation: .androidKey),
    W3CVector(name: "apple.ES256", algorithm: .es256, attestation: .apple),
    W3CVector(name: "fido-u2f.ES256", algorithm: .es256, attestation: .fidoU2F),
  ]

  static let seed = "WebAuthn test vectors"
  static let relyingPartyID = "example.org"
  static let origin = "https://example.org"
  static let topOrigin = "https://example.com"
}

/// The attestation of a vector's authenticator.
enum W3CAttestation: Sendable {
  case none
  case selfSigned
  case packed
  case tpm
  case androidKey
  case apple
  case fidoU2F

  /// The attestation type, as the case format names it.
  var type: String {
    switch self {
    case .none: "none"
    case .selfSigned: "self"
    case .packed, .androidKey, .fidoU2F: "basic"
    case .tpm: "attca"
    case .apple: "anonca"
    }
  }

  /// Whether the attestation has a certificate.
  var hasCertificate: Bool { self != .none && self != .selfSigned }

  /// Whether a separate attestation key signs.
  var hasAttestationKey: Bool { self == .packed || self == .tpm || self == .fidoU2F }
}
