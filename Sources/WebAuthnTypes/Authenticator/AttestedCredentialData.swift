// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What authenticator data say about a new credential (WebAuthn §6.5.1).
public struct AttestedCredentialData: Sendable {
  /// The model of the authenticator.
  public let aaguid: AAGUID

  /// The credential's id.
  public let credentialID: Bytes

  /// The credential's public key as it came: a COSE_Key that COSE has yet to judge.
  public let credentialPublicKey: Bytes

  /// Describes a new credential.
  public init(aaguid: AAGUID, credentialID: Bytes, credentialPublicKey: Bytes) {
    self.aaguid = aaguid
    self.credentialID = credentialID
    self.credentialPublicKey = credentialPublicKey
  }
}
