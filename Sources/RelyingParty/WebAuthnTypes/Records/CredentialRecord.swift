// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

/// The data that a relying party stores for a credential (WebAuthn §4, "credential record"), with every item of the
/// standard.
///
/// Store ``encoded``, and restore the record with ``init(parsing:)``.
public struct CredentialRecord: Hashable, Sendable {
  /// The type of the credential.
  package var type: CredentialType

  /// The credential ID.
  public var id: CredentialID

  /// The public key: the COSE_Key exactly as the authenticator encoded it.
  package var publicKey: [UInt8]

  /// The latest signature counter.
  public var signCount: UInt32

  /// Whether the relying party may rely on the UV flag as an authentication factor (WebAuthn §4).
  ///
  /// It is true if the flag was set at registration. Otherwise only another factor may set it:
  /// `VerifiedAuthentication.credentialInitializingUserVerificationAfterAnotherFactor()`.
  public var uvInitialized: Bool

  /// The transports of the authenticator in the order that the client reported.
  public var transports: [AuthenticatorTransport]

  /// Whether the credential can be backed up, as reported at registration.
  public var backupEligible: Bool

  /// Whether the credential is backed up, as last reported.
  public var backupState: Bool

  /// The attestation object of the registration, if stored.
  package var attestationObject: [UInt8]?

  /// The client data of the registration, if stored. With the attestation object, the attestation signature can be
  /// verified again.
  package var attestationClientDataJSON: [UInt8]?

  /// The RP ID of the credential, if stored.
  package var relyingPartyID: RelyingPartyID?

  /// The time of the registration, if stored. Attestation certificates may expire within days, so a later verification
  /// uses this time.
  public var registered: UnixTime?

  /// The descriptor for options (WebAuthn §4, "credential descriptor for a credential record").
  public var descriptor: CredentialDescriptor {
    CredentialDescriptor(type: type, id: id, transports: transports)
  }

  /// Creates a record.
  package init(
    id: CredentialID, publicKey: [UInt8], signCount: UInt32, uvInitialized: Bool,
    transports: [AuthenticatorTransport], backupEligible: Bool, backupState: Bool, attestationObject: [UInt8]? = nil,
    attestationClientDataJSON: [UInt8]? = nil, relyingPartyID: RelyingPartyID? = nil,
    registered: UnixTime? = nil
  ) {
    type = .publicKey
    self.id = id
    self.publicKey = publicKey
    self.signCount = signCount
    self.uvInitialized = uvInitialized
    self.transports = transports
    self.backupEligible = backupEligible
    self.backupState = backupState
    self.attestationObject = attestationObject
    self.attestationClientDataJSON = attestationClientDataJSON
    self.relyingPartyID = relyingPartyID
    self.registered = registered
  }
}
