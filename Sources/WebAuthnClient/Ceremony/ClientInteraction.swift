// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
public import SystemCrypto
public import WebAuthnTypes

/// The questions that a client asks the user. The authenticator itself tests user presence.
public protocol ClientInteraction: Sendable {
  /// Returns the index of the passkey that the user chose, or nil if the user chose none. The client calls it only if
  /// the authenticator leaves the choice to the client.
  func choose(among users: [PasskeyUser], for relyingParty: RelyingPartyID) async -> Int?

  /// Returns the authenticator's PIN as UTF-8 in normalization form C, or nil if no PIN is available.
  ///
  /// The client calls it again after a wrong PIN. It does not try the same wrong PIN twice.
  func pin(for relyingParty: RelyingPartyID, attemptsLeft: UInt64?) async -> SecretBytes?
}
