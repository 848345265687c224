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

/// A server's claim to a store at start-up: its identity, the key of its audit trail, and the log that a new store begins
/// with.
package struct StoreClaim: Sendable {
  /// The identity. Its secret check is the form that servers use which seal the audit trail.
  package var identity: StoreIdentity

  /// The same identity as written by earlier servers, which did not seal the audit trail.
  package var formerIdentity: StoreIdentity

  /// The key that seals the audit trail.
  package var key: AuditKey

  /// The beginning of the audit log of a new store; nil to keep a chain there. Its predecessor is an empty chain.
  package var beginning: AuditLogBeginning?

  /// Creates a claim from its fields.
  package init(
    identity: StoreIdentity, formerIdentity: StoreIdentity, key: AuditKey, beginning: AuditLogBeginning? = nil
  ) {
    self.identity = identity
    self.formerIdentity = formerIdentity
    self.key = key
    self.beginning = beginning
  }

  /// The changes that a claim makes to a store.
  package struct Changes: Hashable, Sendable {
    /// The store's identity, which is returned to the server.
    package var identity: StoreIdentity

    /// Whether to write the identity.
    package var writesIdentity: Bool

    /// The seal to write to the end of the trail; nil leaves it unchanged.
    package var seal: AuditEnd.Seal?

    /// Whether to begin the log of the claim, after the seal is written.
    package var beginsLog = false
  }

  /// Returns the changes to a store with this identity and this end of its chain, which is nil if the trail is a log. A
  /// store calls this inside its transaction.
  ///
  /// An unsealed trail is sealed once if the store has the former secret check, which only a server with the same
  /// secret can compute: the trail then predates seals. A store without an identity gets its first seal only if it is
  /// new, with no records and no accounts. Otherwise an attacker could delete the identity, with or without the trail,
  /// to have a forged trail sealed. An administrator adopts such a trail with ``AuthService/sealAudit(in:)``. For the same
  /// reason only a new store begins a log.
  package func changes(found: StoreIdentity?, end: AuditEnd?, hasAccounts: Bool) -> Changes {
    let isNew = end?.head == .beginning && !hasAccounts
    let isSealed = if case .tag = end?.seal { true } else { false }
    let firstSeal = isSealed ? nil : end.map { AuditEnd.Seal.tag(key.seal(of: $0.head)) }
    switch found {
    case nil:
      return Changes(
        identity: identity, writesIdentity: true, seal: isNew ? firstSeal : nil, beginsLog: isNew && beginning != nil)
    case formerIdentity?: return Changes(identity: identity, writesIdentity: true, seal: firstSeal)
    case let found?: return Changes(identity: found, writesIdentity: false, seal: nil)
    }
  }
}
