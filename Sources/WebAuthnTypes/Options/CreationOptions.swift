// SPDX-License-Identifier: Apache-2.0

/// What a relying party asks for when a credential is to be made: `PublicKeyCredentialCreationOptions` (WebAuthn §5.4).
public struct CreationOptions: Hashable, Sendable {
  /// Who asks.
  public var relyingParty: RelyingPartyEntity

  /// For whom.
  public var user: UserEntity

  /// What the client data must answer.
  public var challenge: Challenge

  /// The kinds of credential that will do, the best first.
  public var credentialParameters: [CredentialParameters]

  /// How long the client may wait for the user, in milliseconds; it may choose otherwise.
  public var timeout: UInt32?

  /// The account's credentials: an authenticator that has one of them makes no other.
  public var excludeCredentials: [CredentialDescriptor]

  /// What the authenticator must be able to do.
  public var authenticatorSelection: AuthenticatorSelection

  /// Which kind of authenticator the user is expected to have, the likeliest first.
  public var hints: [PublicKeyCredentialHint]

  /// What attestation is asked for.
  public var attestation: AttestationConveyancePreference

  /// The formats in which it is liked, the best first.
  public var attestationFormats: [AttestationFormat]

  /// What is asked of extensions.
  public var extensions: ClientExtensions

  /// Asks for a credential; what is left out has the standard's default.
  public init(
    relyingParty: RelyingPartyEntity, user: UserEntity, challenge: Challenge,
    credentialParameters: [CredentialParameters], timeout: UInt32? = nil,
    excludeCredentials: [CredentialDescriptor] = [],
    authenticatorSelection: AuthenticatorSelection = AuthenticatorSelection(), hints: [PublicKeyCredentialHint] = [],
    attestation: AttestationConveyancePreference = .none, attestationFormats: [AttestationFormat] = [],
    extensions: ClientExtensions = [:]
  ) {
    self.relyingParty = relyingParty
    self.user = user
    self.challenge = challenge
    self.credentialParameters = credentialParameters
    self.timeout = timeout
    self.excludeCredentials = excludeCredentials
    self.authenticatorSelection = authenticatorSelection
    self.hints = hints
    self.attestation = attestation
    self.attestationFormats = attestationFormats
    self.extensions = extensions
  }
}
