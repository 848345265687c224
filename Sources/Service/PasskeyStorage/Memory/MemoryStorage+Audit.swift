// SPDX-License-Identifier: Apache-2.0

package import PasskeyService
package import WebAuthnTypes

extension MemoryStorage {
  /// Appends audit records. Keeps personal details only for persons who have an account.
  package func append(_ drafts: [AuditDraft], spending ceremony: CeremonyID?) throws(StorageError) {
    if let ceremony { spent.insert(ceremony) }
    trail.seal(drafts.map { (draft) in draft.keeping(draft.persons.filter { accounts[$0] != nil }) })
  }

  /// Returns at most `limit` audit records after `sequence`, optionally only those of one account.
  package func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) throws(StorageError) -> [AuditEntry] {
    trail.entries(after: sequence, of: account, limit: limit)
  }

  /// Returns the end of the audit chain.
  package func auditEnd() throws(StorageError) -> AuditEnd {
    trail.end
  }

  /// Stores a seal for the end of the chain. Returns false if the chain's head changed in the meantime.
  package func sealAudit(_ end: AuditEnd, audit: [AuditDraft]) throws(StorageError) -> Bool {
    guard trail.log.logs.isEmpty, trail.end.head == end.head else { return false }
    trail.setSeal(end.seal)
    trail.seal(audit)
    return true
  }
}
