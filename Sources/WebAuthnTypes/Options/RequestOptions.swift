// SPDX-License-Identifier: Apache-2.0

/// What a relying party asks for at a sign-in: `PublicKeyCredentialRequestOptions` (WebAuthn §5.5).
public struct RequestOptions: Hashable, Sendable {
  /// What the client data must answer.
  public var challenge: Challenge

  /// How long the client may wait for the user, in milliseconds; it may choose otherwise.
  public var timeout: UInt32?

  /// The scope of the credential; where it is missing, a client takes the domain of the origin.
  public var relyingPartyID: RelyingPartyID?

  /// The credentials that will do; any discoverable one where it is empty.
  public var allowCredentials: [CredentialDescriptor]

  /// Whether the authenticator must know who uses it.
  public var userVerification: UserVerificationRequirement

  /// Which kind of authenticator the user is expected to have, the likeliest first.
  public var hints: [PublicKeyCredentialHint]

  /// What is asked of extensions.
  public var extensions: ClientExtensions

  /// Asks for a sign-in; what is left out has the standard's default.
  public init(
    challenge: Challenge, timeout: UInt32? = nil, relyingPartyID: RelyingPartyID?,
    allowCredentials: [CredentialDescriptor] = [], userVerification: UserVerificationRequirement = .preferred,
    hints: [PublicKeyCredentialHint] = [], extensions: ClientExtensions = [:]
  ) {
    self.challenge = challenge
    self.timeout = timeout
    self.relyingPartyID = relyingPartyID
    self.allowCredentials = allowCredentials
    self.userVerification = userVerification
    self.hints = hints
    self.extensions = extensions
  }
}
