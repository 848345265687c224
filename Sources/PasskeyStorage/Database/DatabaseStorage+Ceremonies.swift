// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import Synchronization
public import WebAuthnTypes
internal import WireFormats

extension DatabaseStorage {
  /// Stores a pending ceremony. Spends a grant if one is required.
  public func store(
    _ ceremony: PendingCeremony, spending grant: GrantSpending?, audit: [AuditDraft]
  ) async throws(StorageError) -> CeremonyStorageOutcome {
    // Most ceremonies spend no grant and write no audit record, so they need no serial transaction.
    let isFree = grant == nil && audit.isEmpty
    if isFree, let recent, try recent.store(ceremony) { return .stored }
    let outcome = try await database.write(isFree ? .unordered(row: ceremony.id.bytes[...]) : .serial) {
      (transaction) throws(StorageError) -> CeremonyStorageOutcome in
      guard try transaction.spend(grant) else { return .grantRefused }
      try transaction.run(ceremony.insertion)
      try transaction.record(audit)
      return .stored
    }
    // The ceremony is stored even if trimming fails. Trimming is retried after the next `trimmingInterval` ceremonies.
    if keptCount.wrappingAdd(1, ordering: .relaxed).newValue.isMultiple(of: Self.trimmingInterval) {
      try? await trimCeremonies()
    }
    return outcome
  }

  // 256 ceremonies [summing their sizes takes milliseconds]: each server may exceed the limit by this many.
  private static let trimmingInterval = 256

  /// Deletes the ceremonies above the byte limit, those of flooding clients and flooded accounts first.
  func trimCeremonies() async throws(StorageError) {
    let limit = ceremonyByteLimit
    let total = try await database.read { (transaction) throws(StorageError) in
      try transaction.row(BoundedCeremonies.sum)?.integer(0) ?? 0
    }
    guard total > limit else { return }
    try await database.write(.serial) { (transaction) throws(StorageError) in
      // Trims to seven eighths, to leave room for new ceremonies.
      try transaction.run(BoundedCeremonies.eviction(to: limit - limit / 8))
    }
  }

  /// Removes and returns a pending ceremony, with the passkey of the given credential ID and its account.
  public func take(
    _ ceremony: CeremonyID, credential: CredentialID
  ) async throws(StorageError) -> TakenCeremony {
    let finding = SQLStatement(Passkey.withAccount, [.opaque(credential), Sentinel.firstID])
    if let taken = recent?.take(ceremony) {
      return try await database.find { (transaction) throws(StorageError) in
        try TakenCeremony(taken, transaction.rows(finding))
      }
    }
    let taking = SQLStatement(PendingCeremony.removal, [.fixed(ceremony)])
    return try await database.write(.unordered(row: ceremony.bytes[...])) { (transaction) throws(StorageError) in
      let answers = try transaction.batch([taking, finding])
      return try TakenCeremony(PendingCeremony(answers.first), answers.last ?? [])
    }
  }
}

extension TakenCeremony {
  /// Decodes a row of ``Passkey/withAccount``. The sentinel's row is decoded and then discarded, so that a hit and a
  /// miss cost the same.
  fileprivate init(_ ceremony: PendingCeremony?, _ rows: [SQLRow]) throws(StorageError) {
    guard let row = rows.first else { throw StorageError(.corrupt, "the sentinel's passkey is missing") }
    let (passkey, account) = (try Passkey(row), try Account(row, at: Passkey.columnCount))
    let isSentinel = try row.flag(Passkey.columnCount + Account.columnCount)
    self.init(ceremony: ceremony, passkey: isSentinel ? nil : passkey, account: isSentinel ? nil : account)
  }
}

extension PendingCeremony {
  static let columns = "id, user_handle, client, expiry, payload"

  static let removal = "DELETE FROM ceremonies WHERE id = $1 RETURNING \(columns)"

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    self.init(
      id: try row.fixed(0), user: try row.optionalHandle(1), client: row.isNull(2) ? [] : Array(try row.bytes(2)),
      expiry: try row.time(3), payload: Array(try row.bytes(4)))
  }

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO ceremonies (\(Self.columns)) VALUES ($1, $2, $3, $4, $5)",
      [.fixed(id), .opaque(user), .bytes(client[...]), .time(expiry), .bytes(payload[...])])
  }
}
