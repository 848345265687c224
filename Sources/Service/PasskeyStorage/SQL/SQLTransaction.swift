// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

/// A transaction, as seen by the body of a read or a write.
///
/// A body may run more than once if its transaction is retried, so it must have no side effects outside the database.
package protocol SQLTransaction: AnyObject {
  /// Runs statements in one round trip and returns the rows of each.
  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]]

  /// Runs a statement and ignores its result. It may be sent with the next statement that is awaited.
  func run(_ statement: SQLStatement) throws(StorageError)
}

extension SQLTransaction {
  /// Runs a statement and returns its rows.
  package func rows(_ statement: SQLStatement) throws(StorageError) -> [SQLRow] {
    try batch([statement]).first ?? []
  }

  /// Runs a statement that returns at most one row, and returns it.
  package func row(_ statement: SQLStatement) throws(StorageError) -> SQLRow? {
    try rows(statement).first
  }

  func run(_ statements: [SQLStatement]) throws(StorageError) {
    for statement in statements { try run(statement) }
  }
}

/// A write transaction: all changes of its body are applied, or none.
package protocol SQLWrite: SQLTransaction {
  /// Returns the form of the audit trail. The end of a chain is locked until this transaction ends.
  func auditForm() throws(StorageError) -> AuditForm

  /// Moves the end of the chain, counts a record of the log, or turns a chain into a log.
  func setAuditForm(_ form: AuditForm)

  /// Whether the current body wrote notices, or made some due.
  var writesNotices: Bool { get set }

  /// Rolls back this body's changes when it returns. The other bodies of the batch are not affected.
  func requestRollback()
}

/// The ordering and durability of a write.
package enum WriteOrder: Sendable {
  /// A single statement that is correct under any concurrency, with the row that it changes. A batch locks its rows in
  /// sorted order, so that batches of two servers do not deadlock. The change is visible to all connections on return,
  /// but not durable: a power failure may undo it unless a later durable write was acknowledged.
  case unordered(row: Bytes)
  /// Work on these accounts: it excludes all other work on them, and every ``serial`` write. Durable on return.
  case account([UserHandle])
  /// Work that needs no order among writes of this kind. It excludes every ``serial`` write. Durable on return.
  case parallel
  /// Claims and results of deliveries to a destination: they exclude each other, and every ``serial`` write. Visible but not
  /// durable on return: after a power failure, a notice may be sent again, as after the end of a claim.
  case delivery(DestinationName)
  /// Alone, across all servers of the database: what the body reads stays valid until the commit. The write, and every
  /// write before it, is durable on return.
  case serial
  /// A change of the audit log, such as a pass of the sequencer. Its body takes or tries the lock of these changes
  /// (``SQLDialect/logLock``). It excludes ``beginning`` writes, but no work on accounts. Durable on return.
  case sequencing
  /// The beginning of a log: as ``serial``, and excludes other changes of the log.
  case beginning

  /// Whether the write is durable on return.
  var isDurable: Bool {
    switch self {
    case .unordered, .delivery: false
    case .account, .parallel, .serial, .sequencing, .beginning: true
    }
  }

  /// Work on an account that appends these records.
  ///
  /// Excludes other work on the accounts that the records are filed under, so that the numbers of an account's records
  /// have the order of their commits. A pass of the sequencer relies on this order.
  ///
  /// Also excludes other work that spends the ceremony, which has its own lock beside those of the accounts: two accounts can
  /// answer one challenge, and batches of two servers that insert the same identifiers in different orders would deadlock.
  static func account(
    _ user: UserHandle, recording drafts: [AuditDraft], spending ceremony: CeremonyID? = nil
  ) -> Self {
    .account(Array(drafts.accounts.union([user] + [ceremony?.lock].compactMap(\.self))))
  }

  /// Work on an account that spends a grant and appends these records.
  static func account(
    _ user: UserHandle, spending grant: GrantSpending?, recording drafts: [AuditDraft]
  ) -> Self {
    .account(Array(drafts.accounts.union([user]).union([grant?.user].compactMap(\.self))))
  }

  /// The writing of notices, ordered with the other notices of their accounts.
  static func enqueuing(_ notices: [RoutedNotice]) -> Self {
    let accounts = Set(notices.compactMap(\.notice.account))
    // 128 accounts [the database server has room for some thousand locks]
    guard accounts.count <= 128 else { return .serial }
    return accounts.isEmpty ? .parallel : .account(Array(accounts))
  }

  /// The appending of these records, ordered as ``account(_:recording:spending:)``.
  static func recording(_ drafts: [AuditDraft], spending ceremony: CeremonyID? = nil) -> Self {
    let accounts = drafts.accounts.union([ceremony?.lock].compactMap(\.self))
    return accounts.isEmpty ? .parallel : .account(Array(accounts))
  }
}

extension [AuditDraft] {
  /// The accounts that the records are filed under, and those that their personal details are about.
  fileprivate var accounts: Set<UserHandle> {
    reduce(into: []) { (accounts, draft) in
      accounts.formUnion(draft.persons)
      accounts.formUnion([draft.account, draft.actor].compactMap(\.self))
    }
  }
}

extension SQLWrite {
  /// Runs an action if its grant matches, and appends its audit records. A refused action is recorded only if it spent a
  /// grant.
  func perform<Outcome: ConfirmedOutcome>(
    spending grant: GrantSpending?, _ audit: [AuditDraft], _ act: () throws(StorageError) -> Outcome
  ) throws(StorageError) -> Outcome {
    guard try spend(grant) else { return .grantRefused }
    let outcome = try act()
    if let code = outcome.refusal {
      if grant != nil { try record(audit.refused(with: code)) }
    } else {
      try record(audit)
    }
    return outcome
  }
}
