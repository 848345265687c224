// SPDX-License-Identifier: Apache-2.0

package import WebAuthnTypes

/// The identity of a store, which all servers that share it must have in common.
///
/// Passkeys of one relying party are invalid for another. Servers with different secrets would show different decoys,
/// and a client that compares their answers would learn which accounts exist.
package struct StoreIdentity: Hashable, Sendable {
  /// The relying party.
  package var relyingParty: RelyingPartyID

  /// A value that shows whether two servers have the same secret, without revealing it.
  package var secretCheck: [UInt8]

  /// Creates an identity from its stored fields.
  package init(relyingParty: RelyingPartyID, secretCheck: [UInt8]) {
    self.relyingParty = relyingParty
    self.secretCheck = secretCheck
  }
}
