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
    // Most ceremonies spend no grant and write no audit record, so they need no order.
    let isFree = grant == nil && audit.isEmpty
    if isFree, let recent, try recent.store(ceremony) { return .stored }
    var outcome = CeremonyStorageOutcome.stored
    if isFree {
      _ = try await database.write(.unordered(row: ceremony.id.bytes[...]), closed: [ceremony.insertion])
    } else {
      outcome = try await database.write(grant.map { (grant) in .account(grant.user, recording: audit) } ?? .serial) {
        (transaction) throws(StorageError) -> CeremonyStorageOutcome in
        guard try transaction.spend(grant) else { return .grantRefused }
        try transaction.run(ceremony.insertion)
        try transaction.record(audit)
        return .stored
      }
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
    // One statement where the database allows it.
    let statements =
      database.supportsChangesInQueries
      ? [SQLStatement(PendingCeremony.removalWithPasskey, finding.values + [.fixed(ceremony)])]
      : [SQLStatement(PendingCeremony.removal, [.fixed(ceremony)]), finding]
    let answers = try await database.write(.unordered(row: ceremony.bytes[...]), closed: statements)
    guard answers.count == 1, let row = answers.first?.first else {
      return try TakenCeremony(PendingCeremony(answers.first), answers.last ?? [])
    }
    let place = TakenCeremony.columnCount
    return try TakenCeremony(row.isNull(place) ? nil : PendingCeremony(row, at: place), [row])
  }
}

extension TakenCeremony {
  /// The number of columns of ``Passkey/withAccount``.
  fileprivate static let columnCount = Passkey.columnCount + Account.columnCount + 1

  /// Decodes a row of ``Passkey/withAccount``. The sentinel's row is decoded and then discarded, so that a hit and a
  /// miss cost the same.
  fileprivate init(_ ceremony: PendingCeremony?, _ rows: [SQLRow]) throws(StorageError) {
    guard let row = rows.first else { throw StorageError(.corrupt, "the sentinel's passkey is missing") }
    let (passkey, account) = (try Passkey(row), try Account(row, at: Passkey.columnCount))
    let isSentinel = try row.flag(Self.columnCount - 1)
    self.init(ceremony: ceremony, passkey: isSentinel ? nil : passkey, account: isSentinel ? nil : account)
  }
}

extension PendingCeremony {
  static let columns = "id, user_handle, client, expiry, payload"

  static let removal = "DELETE FROM ceremonies WHERE id = $1 RETURNING \(columns)"

  /// Removes the ceremony with ID $3 and finds a passkey with its account, as ``Passkey/withAccount`` does. The columns of
  /// the ceremony follow, null without a ceremony.
  static let removalWithPasskey = """
    WITH taken AS (DELETE FROM ceremonies WHERE id = $3 RETURNING \(columns))
    SELECT found.*, taken.* FROM (\(Passkey.withAccount)) AS found LEFT JOIN taken ON true
    """

  /// Decodes ``columns``, starting at column `start`.
  init(_ row: SQLRow, at start: Int) throws(StorageError) {
    self.init(
      id: try row.fixed(start), user: try row.optionalHandle(start + 1),
      client: row.isNull(start + 2) ? [] : Array(try row.bytes(start + 2)), expiry: try row.time(start + 3),
      payload: Array(try row.bytes(start + 4)))
  }

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    try self.init(row, at: 0)
  }

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO ceremonies (\(Self.columns)) VALUES ($1, $2, $3, $4, $5)",
      [.fixed(id), .opaque(user), .bytes(client[...]), .time(expiry), .bytes(payload[...])])
  }
}
