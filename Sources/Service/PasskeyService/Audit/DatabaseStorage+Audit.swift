// SPDX-License-Identifier: Apache-2.0

package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Appends records of events that change nothing else in the store. Leaves out personal details about accounts that
  /// do not exist: a server may still hold a session of an account that another server has erased, and nothing would
  /// ever delete such details.
  ///
  /// If a ceremony is given, spends it in the same transaction.
  package func append(_ drafts: [AuditDraft], spending ceremony: CeremonyID? = nil) async throws(StorageError) {
    guard !drafts.isEmpty else { return }
    let persons = drafts.reduce(into: Set<UserHandle>()) { (persons, draft) in persons.formUnion(draft.persons) }
    // A record without persons looks up the sentinel, so that a refusal costs the same with and without an account.
    let handles = persons.isEmpty ? [Sentinel.handle] : persons.map { (person) in .opaque(person) }
    let findings = handles.map { (handle) in SQLStatement(Account.byHandleOrSentinel, [handle]) }
    try await write(.recording(drafts, spending: ceremony)) { (transaction) throws(StorageError) in
      var known: Set<UserHandle> = []
      for rows in try transaction.batch(findings) {
        if let account = try Account(orSentinel: rows) { known.insert(account.handle) }
      }
      if let ceremony { _ = try transaction.spend(ceremony) }
      try transaction.record(drafts.map { (draft) in draft.keeping(known) })
    }
  }

  /// Reads entries in the order of their numbers.
  ///
  /// - Parameters:
  ///   - sequence: The number after which to start.
  ///   - account: The account that is the actor of the entries or that they concern; nil for all entries.
  ///   - limit: The maximum number of entries.
  /// - Returns: The entries.
  /// - Throws: A ``StorageError`` if the store fails.
  package func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) async throws(StorageError) -> [AuditEntry] {
    let statement = AuditEntry.records(after: sequence, of: account, limit: limit)
    return try await database.read(snapshot: true) { (transaction) throws(StorageError) in
      let rows = try transaction.rows(statement)
      var details: [SQLStatement] = []
      for row in rows { details.append(AuditEntry.details(of: try row.integer(0))) }
      var entries: [AuditEntry] = []
      for (row, details) in zip(rows, try transaction.batch(details)) {
        entries.append(try AuditEntry(row, details: details))
      }
      return entries
    }
  }
}
