// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension DatabaseStorage {
  /// Keeps a ceremony.
  public func keep(
    _ ceremony: PendingCeremony, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> KeepOutcome {
    // Most ceremonies need no confirmation and leave no record, and then no order.
    let isFree = grant == nil && audit.isEmpty
    return try await database.write(isFree ? .free(row: ceremony.id.bytes[...]) : .serial) {
      (transaction) throws(StorageError) in
      guard try transaction.spend(grant) else { return .grantRefused }
      try transaction.run(ceremony.insertion)
      try transaction.record(audit)
      return .kept
    }
  }

  /// Takes a ceremony out.
  public func take(
    _ ceremony: CeremonyID, credential: CredentialID
  ) async throws(StorageError) -> TakenCeremony {
    let statements = [
      SQLStatement(PendingCeremony.taking, [.fixed(ceremony)]),
      SQLStatement(Passkey.withAccount, [.opaque(credential)]),
    ]
    return try await database.write(.free(row: ceremony.bytes[...])) { (transaction) throws(StorageError) in
      let answers = try transaction.answers(statements)
      let row = answers.last?.first
      return TakenCeremony(
        ceremony: try PendingCeremony(answers.first), passkey: try Passkey(answers.last),
        account: try row.map { (row) throws(StorageError) in try Account(row, at: Passkey.columnCount) })
    }
  }
}
