// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import WebAuthnTypes

extension WriteOrder {
  /// Work on these accounts.
  static func accounts(_ handles: Set<UserHandle>) -> Self {
    .objects(Set(handles.map { (handle) in .account(handle) }))
  }

  /// Work on objects that spends a grant and appends these records.
  ///
  /// Excludes other work on the accounts that the records are filed under, so that the numbers of an account's records
  /// have the order of their commits. A pass of the sequencer relies on this order.
  static func objects(
    _ objects: [LockedObject], spending grant: GrantSpending? = nil, recording drafts: [AuditDraft]
  ) -> Self {
    .objects(drafts.locks.union(objects).union(grant.locks))
  }

  /// Statements of the embedding server for an account, in a transaction that spends a grant and appends these records.
  static func embedded(
    by account: UserHandle?, spending grant: GrantSpending?, recording drafts: [AuditDraft]
  ) -> Self {
    let acting = account.map { (handle) in LockedObject.account(handle) }
    return .embedded(drafts.locks.union(grant.locks).union([.embeddedTables, acting].compactMap(\.self)))
  }

  /// Work on an account that appends these records.
  ///
  /// Also excludes other work that spends the ceremony, which has its own lock beside those of the accounts: two accounts can
  /// answer one challenge, and batches of two servers that insert the same identifiers in different orders would deadlock.
  static func account(
    _ user: UserHandle, recording drafts: [AuditDraft], spending ceremony: CeremonyID? = nil
  ) -> Self {
    .objects([.account(user)] + ceremony.locks, recording: drafts)
  }

  /// Work on an account that spends a grant and appends these records.
  static func account(
    _ user: UserHandle, spending grant: GrantSpending?, recording drafts: [AuditDraft]
  ) -> Self {
    .objects([.account(user)], spending: grant, recording: drafts)
  }

  /// The appending of these records, ordered as ``objects(_:spending:recording:)``.
  static func recording(_ drafts: [AuditDraft], spending ceremony: CeremonyID? = nil) -> Self {
    .objects(ceremony.locks, recording: drafts)
  }
}

extension [AuditDraft] {
  /// The accounts that the records are filed under, and those that their personal details are about.
  var locks: Set<LockedObject> {
    reduce(into: []) { (locks, draft) in
      for handle in draft.persons.union([draft.account, draft.actor].compactMap(\.self)) {
        locks.insert(.account(handle))
      }
    }
  }
}

extension [RoutedNotice] {
  /// The accounts that the notices are about; none if they are more than 128 [the database server has room for some thousand
  /// locks]. Such notices follow all that were committed before, but those of concurrent transactions can go first.
  var locks: Set<LockedObject> {
    let accounts = Set(compactMap(\.notice.account))
    return accounts.count <= 128 ? Set(accounts.map { (handle) in .account(handle) }) : []
  }
}

extension CeremonyID? {
  /// The object that a write locks before it spends the ceremony.
  var locks: [LockedObject] { map { (id) in [.ceremony(id)] } ?? [] }
}

extension GrantSpending? {
  /// The object that a write locks before it spends the grant.
  var locks: [LockedObject] { map { (grant) in [.account(grant.user)] } ?? [] }
}
