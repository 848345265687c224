// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What a browser sends to sign in: `AuthenticationResponseJSON` (WebAuthn §5.1), its base64url decoded.
///
/// Nothing here has been verified, and nothing here has been read further than JSON goes.
public struct AuthenticationResponse: Hashable, Sendable {
  /// The credential's id, from `rawId`; `id` says the same, or the response is refused.
  public var id: CredentialID

  /// How the authenticator belongs to the device, where the client says so.
  public var authenticatorAttachment: AuthenticatorAttachment?

  /// The client data: bytes for ``ClientData``.
  public var clientDataJSON: Bytes

  /// The authenticator data: bytes for ``AuthenticatorData``.
  public var authenticatorData: Bytes

  /// The signature over the authenticator data and the hash of the client data.
  public var signature: Bytes

  /// The user of the credential, where the authenticator says so. An empty handle in JSON counts as absent.
  public var userHandle: UserHandle?

  /// What extensions gave back.
  public var clientExtensionResults: ClientExtensions

  /// The kind of the credential: the structure is that of a public key credential, and other kinds are refused.
  public var type: CredentialType { .publicKey }

  /// Puts a response together, as a client does.
  public init(
    id: CredentialID, authenticatorAttachment: AuthenticatorAttachment? = nil, clientDataJSON: Bytes,
    authenticatorData: Bytes, signature: Bytes, userHandle: UserHandle? = nil,
    clientExtensionResults: ClientExtensions = [:]
  ) {
    self.id = id
    self.authenticatorAttachment = authenticatorAttachment
    self.clientDataJSON = clientDataJSON
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.userHandle = userHandle
    self.clientExtensionResults = clientExtensionResults
  }
}
