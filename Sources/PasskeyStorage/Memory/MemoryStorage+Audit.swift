// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Records what happened.
  public func append(_ drafts: [AuditDraft]) throws(StorageError) {
    trail.seal(drafts.map { (draft) in draft.keeping(draft.persons.filter { accounts[$0] != nil }) })
  }

  /// Lists what happened.
  public func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) throws(StorageError) -> [AuditEntry] {
    trail.entries(after: sequence, of: account, limit: limit)
  }

  /// Walks over the trail.
  public func walkAudit(over knownHead: AuditHead?) throws(StorageError) -> Result<AuditEnd, ServiceError> {
    var walk = AuditWalk(to: trail.end, over: knownHead)
    do throws(ServiceError) {
      for entry in trail.entries(after: 0, of: nil, limit: .max) {
        let record = entry.record
        let details = entry.personalDetails.map { detail in
          FiledPersonalDetail(
            sequence: record.sequence, detail: detail, recorded: record.time, isFoundByRecord: false)
        }
        try walk.visit([FiledAuditRecord(filing: record.filing, encoded: record.encoded[...])], details: details)
      }
      return .success(try walk.finish())
    } catch {
      return .failure(error)
    }
  }

  /// The end of the chain.
  public func auditEnd() throws(StorageError) -> AuditEnd {
    trail.end
  }

  /// Seals the chain.
  public func sealAudit(_ end: AuditEnd, audit: [AuditDraft]) throws(StorageError) -> Bool {
    guard trail.end.head == end.head else { return false }
    trail.setSeal(end.seal)
    trail.seal(audit)
    return true
  }
}
