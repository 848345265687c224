// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Where a client gets the origins that may use a relying party's passkeys from (WebAuthn §5.11.1, step 2).
public protocol RelatedOriginsSource: Sendable {
  /// The document at `https://RP ID/.well-known/webauthn`: fetched without cookies, with status 200, of the type
  /// `application/json`. Whatever is otherwise is thrown.
  func document(of relyingParty: RelyingPartyID) async throws(ClientError) -> RelatedOrigins
}
