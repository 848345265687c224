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
    if isFree, let recent, try recent.keep(ceremony) { return .kept }
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
    let finding = SQLStatement(Passkey.withAccount, [.opaque(credential)])
    if let taken = recent?.take(ceremony) {
      return try await database.find { (transaction) throws(StorageError) in
        try TakenCeremony(taken, transaction.rows(finding))
      }
    }
    let taking = SQLStatement(PendingCeremony.taking, [.fixed(ceremony)])
    return try await database.write(.free(row: ceremony.bytes[...])) { (transaction) throws(StorageError) in
      let answers = try transaction.answers([taking, finding])
      return try TakenCeremony(PendingCeremony(answers.first), answers.last ?? [])
    }
  }
}

extension TakenCeremony {
  /// Reads the rows of ``Passkey/withAccount``, of which there is one at the most.
  fileprivate init(_ ceremony: PendingCeremony?, _ rows: [SQLRow]) throws(StorageError) {
    self.init(
      ceremony: ceremony, passkey: try Passkey(rows),
      account: try rows.first.map { (row) throws(StorageError) in try Account(row, at: Passkey.columnCount) })
  }
}
