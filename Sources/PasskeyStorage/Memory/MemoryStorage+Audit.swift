// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Records what happened.
  public func append(_ drafts: [AuditDraft]) throws(StorageError) {
    trail.seal(drafts)
  }

  /// Lists what happened.
  public func auditEntries(
    after sequence: Int64, of account: UserHandle?, limit: Int
  ) throws(StorageError) -> [AuditEntry] {
    trail.entries(after: sequence, of: account, limit: limit)
  }

  /// The end of the chain.
  public func auditHead() throws(StorageError) -> AuditHead {
    trail.head
  }
}
