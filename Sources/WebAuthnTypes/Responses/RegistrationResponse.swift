// SPDX-License-Identifier: Apache-2.0

public import COSE
public import WireFormats

/// What a browser sends for a new credential: `RegistrationResponseJSON` (WebAuthn §5.1), its base64url decoded.
///
/// Nothing here has been verified, and nothing here has been read further than JSON goes.
public struct RegistrationResponse: Hashable, Sendable {
  /// The credential's id, from `rawId`; `id` says the same, or the response is refused.
  public var id: CredentialID

  /// How the authenticator belongs to the device, where the client says so.
  public var authenticatorAttachment: AuthenticatorAttachment?

  /// The client data: bytes for ``ClientData``.
  public var clientDataJSON: Bytes

  /// The attestation object: bytes for ``AttestationObject``.
  public var attestationObject: Bytes

  /// By which ways the authenticator can be reached; empty where the client does not tell.
  public var transports: [AuthenticatorTransport]

  /// What extensions gave back.
  public var clientExtensionResults: ClientExtensions

  /// Copies of what the attestation object holds, for relying parties that do not read it.
  public var copies: Copies

  /// The kind of the credential: the structure is that of a public key credential, and other kinds are refused.
  public var type: CredentialType { .publicKey }

  /// What a client copies out of the attestation object (WebAuthn §5.2.1.1). No attestation covers the copies, and they
  /// may differ from what they were copied from: a verifier leaves them alone. A copy that does not decode is nil.
  public struct Copies: Hashable, Sendable {
    /// The authenticator data.
    public var authenticatorData: Bytes?

    /// The public key as a SubjectPublicKeyInfo.
    public var publicKey: Bytes?

    /// The public key's algorithm.
    public var publicKeyAlgorithm: COSEAlgorithm?

    /// Takes what there is.
    public init(
      authenticatorData: Bytes? = nil, publicKey: Bytes? = nil, publicKeyAlgorithm: COSEAlgorithm? = nil
    ) {
      self.authenticatorData = authenticatorData
      self.publicKey = publicKey
      self.publicKeyAlgorithm = publicKeyAlgorithm
    }
  }

  /// Puts a response together, as a client does.
  public init(
    id: CredentialID, authenticatorAttachment: AuthenticatorAttachment? = nil, clientDataJSON: Bytes,
    attestationObject: Bytes, transports: [AuthenticatorTransport] = [],
    clientExtensionResults: ClientExtensions = [:], copies: Copies = Copies()
  ) {
    self.id = id
    self.authenticatorAttachment = authenticatorAttachment
    self.clientDataJSON = clientDataJSON
    self.attestationObject = attestationObject
    self.transports = transports
    self.clientExtensionResults = clientExtensionResults
    self.copies = copies
  }
}
