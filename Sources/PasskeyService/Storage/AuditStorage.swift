// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Storage of the audit trail. It is append-only, except that personal details can be deleted.
public protocol AuditStorage: Sendable {
  /// Appends records of events that change nothing else in the store. Leaves out personal details about accounts that
  /// do not exist: a server may still hold a session of an account that another server has erased, and nothing would
  /// ever delete such details.
  func append(_ drafts: [AuditDraft]) async throws(StorageError)

  /// Returns at most `limit` entries in the order of their numbers, starting after `sequence`. If `account` is given,
  /// returns only entries of which it is the actor or the account concerned.
  func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) async throws(StorageError) -> [AuditEntry]

  /// Verifies all stored rows of the trail in one snapshot (``StoredAuditVerifier``), up to the end or the first fault. It may
  /// take long and must not block other transactions.
  func verifyAuditTrail(knownHead: AuditHead?) async throws(StorageError) -> Result<AuditEnd, ServiceError>

  /// Returns the end of the chain with its seal.
  func auditEnd() async throws(StorageError) -> AuditEnd

  /// Writes this seal and appends the drafts after it, if the chain still has this end. Returns whether it does.
  func sealAudit(_ end: AuditEnd, audit: [AuditDraft]) async throws(StorageError) -> Bool

}

extension AuditStorage {
  /// Returns the end of the chain without its seal.
  public func auditHead() async throws(StorageError) -> AuditHead {
    try await auditEnd().head
  }
}
