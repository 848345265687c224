// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Whose a store is: what all servers that work on it have to have alike.
///
/// Passkeys of one relying party are none of another's, and servers with other secrets would show other decoys, by which
/// whoever compares their answers learns which accounts there are.
public struct StoreIdentity: Hashable, Sendable {
  /// The relying party.
  public var relyingParty: RelyingPartyID

  /// What shows whether a secret is the same, and nothing else of it.
  public var secretCheck: [UInt8]

  /// Puts together what a store has.
  public init(relyingParty: RelyingPartyID, secretCheck: [UInt8]) {
    self.relyingParty = relyingParty
    self.secretCheck = secretCheck
  }
}
