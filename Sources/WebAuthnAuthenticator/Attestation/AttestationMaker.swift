// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes
public import WireFormats

/// Makes the statement of one attestation format (WebAuthn §8): the half that the verifier judges.
public protocol AttestationMaker: Sendable {
  /// The format that the statement has.
  var format: AttestationFormat { get }

  /// The statement about one new credential.
  func statement(for subject: AttestationSubject) throws(CryptoError) -> CBORTree
}

/// A new credential, and the ceremony that it was made in: all that a statement can vouch for.
public struct AttestationSubject: Sendable {
  /// The authenticator data with the new credential in it, as they will be sent.
  public let authenticatorData: AuthenticatorData

  /// SHA-256 of the client data.
  public let clientDataHash: Bytes

  /// The credential's own key.
  public let credentialKey: SigningKey

  /// How signatures are made: for test vectors so that they can be made again.
  public let signing: SigningMode

  /// Names what is attested.
  public init(
    authenticatorData: AuthenticatorData, clientDataHash: Bytes, credentialKey: SigningKey,
    signing: SigningMode = .randomized
  ) {
    self.authenticatorData = authenticatorData
    self.clientDataHash = clientDataHash
    self.credentialKey = credentialKey
    self.signing = signing
  }

  /// What most formats sign: the authenticator data with the hash of the client data behind it.
  public var signedBytes: Bytes { authenticatorData.encoded + clientDataHash }
}
