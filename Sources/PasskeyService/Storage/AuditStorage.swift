// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Where the audit trail is. Nothing of it is changed or deleted but for personal details.
public protocol AuditStorage: Sendable {
  /// Records what happened without anything else having changed. What there is to know about somebody who has no account is
  /// left out: a server may keep a session while its account is erased elsewhere, and nothing would ever delete it.
  func append(_ drafts: [AuditDraft]) async throws(StorageError)

  /// Entries in the order of their numbers, from behind one of them, at most `limit`; of one account where one is given: those
  /// that it did, and those that happened to it.
  func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) async throws(StorageError) -> [AuditEntry]

  /// Walks over everything that is stored of the trail, as it is at one moment (``AuditWalk``): to its end, or to what does
  /// not fit. It may take a while, and nobody waits for it.
  func walkAudit(over knownHead: AuditHead?) async throws(StorageError) -> Result<AuditEnd, ServiceError>

  /// The end of the chain with its seal.
  func auditEnd() async throws(StorageError) -> AuditEnd

  /// Gives the chain this seal where it still ends so, and appends the drafts behind it; whether it does.
  func sealAudit(_ end: AuditEnd, audit: [AuditDraft]) async throws(StorageError) -> Bool

}

extension AuditStorage {
  /// The end of the chain.
  public func auditHead() async throws(StorageError) -> AuditHead {
    try await auditEnd().head
  }
}
