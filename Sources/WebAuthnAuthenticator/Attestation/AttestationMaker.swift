// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Creates the statement of an attestation format (WebAuthn §8), the counterpart of its verifier.
public protocol AttestationMaker: Sendable {
  /// The format of the statement.
  var format: AttestationFormat { get }

  /// Returns the attestation statement for a new credential.
  func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree
}

/// A new credential and its ceremony: the data an attestation statement can cover.
public struct AttestationSubject: Sendable {
  /// The authenticator data with the attested credential data, as sent.
  public let authenticatorData: AuthenticatorData

  /// SHA-256 of the client data.
  public let clientDataHash: Bytes

  /// The credential's private key.
  public let credentialKey: SigningKey

  /// The signing mode. Test vectors use a deterministic one, to be reproducible.
  public let signing: SigningMode

  /// Creates an attestation subject.
  public init(
    authenticatorData: AuthenticatorData, clientDataHash: Bytes, credentialKey: SigningKey,
    signing: SigningMode = .randomized
  ) {
    self.authenticatorData = authenticatorData
    self.clientDataHash = clientDataHash
    self.credentialKey = credentialKey
    self.signing = signing
  }

  /// The bytes most formats sign: the authenticator data followed by the client data hash.
  public var signedBytes: Bytes { authenticatorData.encoded + clientDataHash }
}
