// SPDX-License-Identifier: Apache-2.0

/// What a server says of itself when it starts on a store: whose store it is to be, and the key of its audit trail.
public struct StoreClaim: Sendable {
  /// Whose store it is. The check of its secret is that of servers which seal the audit trail.
  public var identity: StoreIdentity

  /// How servers that did not seal the audit trail wrote the same identity.
  public var formerIdentity: StoreIdentity

  /// The key of the audit trail.
  public var key: AuditKey

  /// Puts together what a server says.
  public init(identity: StoreIdentity, formerIdentity: StoreIdentity, key: AuditKey) {
    self.identity = identity
    self.formerIdentity = formerIdentity
    self.key = key
  }

  /// What a store does about a claim.
  public struct Settlement: Hashable, Sendable {
    /// Whose the store is, which the server is told.
    public var identity: StoreIdentity

    /// Whether the identity is written.
    public var writesIdentity: Bool

    /// The seal that the store writes to the end of its trail; nil where that stays as it is.
    public var seal: AuditEnd.Seal?
  }

  /// What becomes of a store with this identity and this end of its trail. A store asks inside the transaction.
  ///
  /// An existing trail is sealed once, where the store proves that a server with the same secret wrote it before seals
  /// existed: it has the former check of the secret, which nobody else can compute. A store without an identity
  /// gets its first seal only if it is new, with neither records nor accounts: to delete the identity, with or without the
  /// trail, must not have a forged trail sealed. An administrator adopts such a trail (``AuthService/sealAudit(in:)``).
  public func settled(found: StoreIdentity?, end: AuditEnd, hasAccounts: Bool) -> Settlement {
    let isNew = end.head == .beginning && !hasAccounts
    let isSealed = if case .tag = end.seal { true } else { false }
    let firstSeal: AuditEnd.Seal? = isSealed ? nil : .tag(key.seal(of: end.head))
    switch found {
    case nil: return Settlement(identity: identity, writesIdentity: true, seal: isNew ? firstSeal : nil)
    case formerIdentity?: return Settlement(identity: identity, writesIdentity: true, seal: firstSeal)
    case let found?: return Settlement(identity: found, writesIdentity: false, seal: nil)
    }
  }
}
