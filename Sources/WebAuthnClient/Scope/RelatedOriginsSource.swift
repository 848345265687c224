// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// A source of related origins documents (WebAuthn §5.11.1, step 2).
public protocol RelatedOriginsSource: Sendable {
  /// Returns the document at `https://RP ID/.well-known/webauthn`. It is fetched without cookies. Throws unless the
  /// status is 200 and the media type `application/json`.
  func document(of relyingParty: RelyingPartyID) async throws(ClientError) -> RelatedOrigins
}
