// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension DatabaseStorage {
  /// Records what happened.
  public func append(_ drafts: [AuditDraft]) async throws(StorageError) {
    guard !drafts.isEmpty else { return }
    let persons = drafts.reduce(into: Set<UserHandle>()) { (persons, draft) in persons.formUnion(draft.persons) }
    // A record that names nobody looks for the sentinel, so that a refusal costs the same with and without an account.
    let handles = persons.isEmpty ? [Sentinel.handle] : persons.map { (person) in .opaque(person) }
    let findings = handles.map { (handle) in SQLStatement(Account.byHandleOrSentinel, [handle]) }
    try await database.write(.serial) { (transaction) throws(StorageError) in
      var known: Set<UserHandle> = []
      for rows in try transaction.answers(findings) {
        if let account = try Account(orSentinel: rows) { known.insert(account.handle) }
      }
      try transaction.record(drafts.map { (draft) in draft.keeping(known) })
    }
  }

  /// Lists what happened.
  public func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) async throws(StorageError) -> [AuditEntry] {
    let statement = AuditEntry.records(after: sequence, of: account, limit: limit)
    return try await database.read(snapshot: true) { (transaction) throws(StorageError) in
      let rows = try transaction.rows(statement)
      var details: [SQLStatement] = []
      for row in rows { details.append(AuditEntry.details(of: try row.integer(0))) }
      var entries: [AuditEntry] = []
      for (row, details) in zip(rows, try transaction.answers(details)) {
        entries.append(try AuditEntry(row, details: details))
      }
      return entries
    }
  }

  /// Walks over the trail.
  public func walkAudit(over knownHead: AuditHead?) async throws(StorageError) -> Result<AuditEnd, ServiceError> {
    try await database.read(snapshot: true) { (transaction) throws(StorageError) in
      let end = try AuditEnd(transaction.row(SQLStatement(AuditEnd.reading)))
      var walk = AuditWalk(to: end, over: knownHead)
      var start: Int64? = .min
      while let first = start {
        let page = try transaction.auditPage(from: first)
        do throws(ServiceError) {
          try walk.visit(page.records, details: page.details)
        } catch {
          return .failure(error)
        }
        start = page.next
      }
      do throws(ServiceError) {
        return .success(try walk.finish())
      } catch {
        return .failure(error)
      }
    }
  }

  /// The end of the chain.
  public func auditEnd() async throws(StorageError) -> AuditEnd {
    try await database.read { (transaction) throws(StorageError) in
      try AuditEnd(transaction.row(SQLStatement(AuditEnd.reading)))
    }
  }

  /// Seals the chain.
  public func sealAudit(_ end: AuditEnd, audit: [AuditDraft]) async throws(StorageError) -> Bool {
    try await database.write(.serial) { (transaction) throws(StorageError) in
      guard try transaction.auditEnd().head == end.head else { return false }
      transaction.setAuditEnd(end)
      try transaction.record(audit)
      return true
    }
  }
}
