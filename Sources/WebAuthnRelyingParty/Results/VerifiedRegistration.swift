// SPDX-License-Identifier: Apache-2.0

public import WebAuthnAttestation
public import WebAuthnTypes
public import WireFormats

/// A registration that went through every step. Only ``RelyingParty`` makes one.
public struct VerifiedRegistration: Sendable {
  /// What to store: nothing has been registered before that is done.
  public let credential: StoredCredential

  /// The model of the authenticator, as the authenticator claims. It is proven only if ``provenClaims`` vouches for it:
  /// that depends on the attestation's format, and on its anchor.
  public let aaguid: AAGUID

  /// The authenticator's flags.
  public let flags: AuthenticatorFlags

  /// What the attestation is worth. That there is an outcome does not mean that anybody vouches for the authenticator.
  public let attestation: AttestationOutcome

  /// The claims that the attestation proves.
  public var provenClaims: ProvenClaims { attestation.provenClaims }

  /// What came of the extensions that were asked for, by type.
  public var extensions: RegistrationExtensions { extensionOutputs ?? .none }

  /// What extensions gave back by way of the client, unsigned, as it came.
  public let clientExtensionResults: ClientExtensions

  /// What extensions gave back in authenticator data, as it came.
  public let authenticatorExtensionOutputs: CBORMap?

  /// When.
  public let time: Timestamp

  /// Most registrations ask for no extension, and carry nothing.
  private let extensionOutputs: RegistrationExtensions?

  init(
    user: UserHandle, relyingPartyID: RelyingPartyID, response: RegistrationResponse,
    attestationObject: AttestationObject, credential: AttestedCredentialData, attestation: AttestationOutcome,
    extensions: RegistrationExtensions?, time: Timestamp
  ) {
    let data = attestationObject.authenticatorData
    let record = CredentialRecord(
      id: response.id, publicKey: credential.credentialPublicKey, signCount: data.signCount,
      uvInitialized: data.flags.contains(.userVerified), transports: response.transports,
      backupEligible: data.flags.contains(.backupEligible), backupState: data.flags.contains(.backedUp),
      attestationObject: response.attestationObject, attestationClientDataJSON: response.clientDataJSON,
      relyingPartyID: relyingPartyID, registered: time)
    self.credential = StoredCredential(user: user, record: record)
    aaguid = credential.aaguid
    flags = data.flags
    self.attestation = attestation
    extensionOutputs = extensions
    clientExtensionResults = response.clientExtensionResults
    authenticatorExtensionOutputs = data.extensions
    self.time = time
  }
}
