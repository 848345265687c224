// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnAttestation
public import WebAuthnTypes

/// A registration that passed every step. Only ``RelyingParty`` creates one.
public struct VerifiedRegistration: Sendable {
  /// The credential to store. The registration takes effect only when it is stored.
  public let credential: StoredCredential

  /// The user who owns the credential.
  public var user: UserHandle { credential.user }

  /// The authenticator model that the authenticator claims. Whether it is proven depends on the
  /// attestation's format and anchor; `AttestationPolicy.ModelRequirements` demand that.
  public let aaguid: AAGUID

  /// The authenticator's flags.
  package let flags: AuthenticatorFlags

  /// The trust of the attestation. An outcome alone does not mean that an authority vouches for the authenticator.
  public let attestation: AttestationOutcome

  /// The claims that the attestation proves.
  package var provenClaims: ProvenClaims { attestation.provenClaims }

  /// The typed outputs of the requested extensions.
  public var extensions: Extensions { extensionOutputs ?? .none }

  /// The raw extension outputs of the client by extension name, not signed.
  public let clientExtensionResults: [String: ExtensionValue]

  /// The raw extension outputs in authenticator data.
  package let authenticatorExtensionOutputs: CBORMap?

  /// The time of the registration.
  public let time: UnixTime

  /// Nil for ceremonies without extensions, which are most.
  private let extensionOutputs: Extensions?

  init(
    user: UserHandle, relyingPartyID: RelyingPartyID, response: borrowing RegistrationResponse,
    attestationObject: borrowing AttestationObject, credential: AttestedCredentialData, attestation: AttestationOutcome,
    extensions: Extensions?, time: UnixTime
  ) {
    let data = attestationObject.authenticatorData
    let record = CredentialRecord(
      id: response.id, publicKey: [UInt8](credential.credentialPublicKey), signCount: data.signCount,
      uvInitialized: data.flags.contains(.userVerified), transports: response.transports,
      backupEligible: data.flags.contains(.backupEligible), backupState: data.flags.contains(.backedUp),
      attestationObject: [UInt8](response.attestationObject),
      attestationClientDataJSON: [UInt8](response.clientDataJSON),
      relyingPartyID: relyingPartyID, registered: time)
    self.credential = StoredCredential(user: user, record: record)
    aaguid = credential.aaguid
    flags = data.flags
    self.attestation = attestation
    extensionOutputs = extensions
    clientExtensionResults = response.clientExtensionResults.values
    authenticatorExtensionOutputs = data.extensions
    self.time = time
  }
}

extension VerifiedRegistration {
  /// The outputs of the extensions that a registration requested. Outputs that were not requested appear in the raw
  /// outputs of ``VerifiedRegistration`` only.
  public struct Extensions: Hashable, Sendable {
    /// The outputs of the client. They are not signed, so a malicious browser can forge them. A malformed output is
    /// nil.
    package let fromClient: RegistrationClientOutputs

    /// The parse errors of malformed client outputs, by extension name. The ceremony succeeds without these outputs,
    /// because they are not signed and the standard makes every extension optional.
    public let malformedClientOutputs: [String: FormatError]

    /// The outputs of the authenticator. Only the attestation signs them: trust them as much as the attestation.
    package let fromAuthenticator: RegistrationAuthenticatorOutputs

    /// The public key of the browser-bound key (Secure Payment Confirmation), as a COSE key. Set if `payment` was
    /// requested and the browser proved possession of the private key.
    public let browserBoundPublicKey: [UInt8]?

    /// Whether the credential is discoverable (`credProps`), as the client reports.
    public var isDiscoverable: Bool? { fromClient.credProps?.isDiscoverable }

    /// Whether the credential has a pseudo-random function (`prf`), as the client reports.
    public var isPRFEnabled: Bool? { fromClient.prf?.isEnabled }

    /// Whether the credential supports large blobs (`largeBlob`), as the client reports.
    public var supportsLargeBlobs: Bool? { fromClient.largeBlob?.isSupported }

    /// The protection policy of the credential, as the authenticator reports.
    public var credentialProtection: RegistrationExtension.CredentialProtection? { fromAuthenticator.credProtect }

    /// The authenticator's minimum PIN length, as it reports.
    public var minPinLength: UInt64? { fromAuthenticator.minPinLength }

    static let none = Self(
      fromClient: RegistrationClientOutputs(), malformedClientOutputs: [:],
      fromAuthenticator: RegistrationAuthenticatorOutputs(), browserBoundPublicKey: nil)
  }
}
