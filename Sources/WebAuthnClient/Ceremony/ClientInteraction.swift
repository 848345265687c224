// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes

/// What a client has to ask the person before it. Whether somebody is there at all is the authenticator's question.
public protocol ClientInteraction: Sendable {
  /// Which of several passkeys; nil for none. Asked only where the authenticator leaves the choice to the client.
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int?

  /// The authenticator's PIN, as UTF-8 in normalization form C; nil where there is none to be had.
  ///
  /// It is asked again after a PIN that was wrong. One that has been found wrong is not tried a second time.
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes?
}
