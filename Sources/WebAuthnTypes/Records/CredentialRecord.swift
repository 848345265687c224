// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What a relying party keeps of a credential (WebAuthn §4, "credential record"), with every item that the standard has.
///
/// It goes into a store as bytes (``encoded``) and comes back as the same value (``init(parsing:)``).
public struct CredentialRecord: Hashable, Sendable {
  /// The type of the credential.
  public var type: CredentialType

  /// The credential's id.
  public var id: CredentialID

  /// The credential's public key: a COSE_Key, byte for byte as the authenticator gave it.
  public var publicKey: Bytes

  /// The latest signature counter.
  public var signCount: UInt32

  /// Whether the relying party may rely on the UV flag as an authentication factor (WebAuthn §4).
  ///
  /// It is true from the start where the registration had the flag set. Else only another factor raises it:
  /// `VerifiedAuthentication.credentialInitializingUserVerificationAfterAnotherFactor()`.
  public var uvInitialized: Bool

  /// By which ways the authenticator can be reached, in the client's own order.
  public var transports: [AuthenticatorTransport]

  /// Whether the credential may be backed up, as it was at registration.
  public var backupEligible: Bool

  /// Whether it is backed up, as it was last.
  public var backupState: Bool

  /// The attestation object of the registration, where it is kept.
  public var attestationObject: Bytes?

  /// The client data of the registration, where they are kept: with the attestation object they allow its signature to
  /// be verified again.
  public var attestationClientDataJSON: Bytes?

  /// The scope of the credential, where it is kept.
  public var relyingPartyID: RelyingPartyID?

  /// When the registration was verified, where it is kept. Attestation certificates live shorter than credentials, some
  /// for days: judged again, they are judged at this moment.
  public var registered: Timestamp?

  /// The credential as options name it (WebAuthn §4, "credential descriptor for a credential record").
  public var descriptor: CredentialDescriptor {
    CredentialDescriptor(type: type, id: id, transports: transports)
  }

  /// Puts a record together.
  public init(
    type: CredentialType = .publicKey, id: CredentialID, publicKey: Bytes, signCount: UInt32, uvInitialized: Bool,
    transports: [AuthenticatorTransport], backupEligible: Bool, backupState: Bool, attestationObject: Bytes? = nil,
    attestationClientDataJSON: Bytes? = nil, relyingPartyID: RelyingPartyID? = nil,
    registered: Timestamp? = nil
  ) {
    self.type = type
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
