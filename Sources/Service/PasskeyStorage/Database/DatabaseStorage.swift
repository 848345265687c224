// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WebAuthnTypes

/// The service's transactions in SQL, shared by ``SQLiteStorage`` and `PostgreSQLStorage`.
///
/// Every transaction that depends on what it reads excludes those that could change it, across all servers of the
/// database: work on one account, such as a sign-in, excludes other work on the account, and serial transactions, such as
/// an erasure, run alone. Deliveries to one destination exclude each other. The update of a session's time of last use is a
/// single statement that is correct in any order. All kinds share commits with concurrent transactions of their kind (group
/// commit).
///
/// Transactions are durable when their methods return, except that single statement and deliveries. Those are committed and
/// visible to all connections, but a power failure may undo the latest of them. A notice may then be delivered again.
///
/// It is safe to use from any task. Its methods suspend; database calls run on threads of the store.
open class DatabaseStorage: @unchecked Sendable {  // All stored properties are constants.
  let database: any SQLDatabase

  /// A signal after each commit of this object that wrote notices.
  public let outboxSignal: OutboxSignal

  /// Tables of the server that embeds the service.
  let embedded: EmbeddedTables

  package init(_ database: any SQLDatabase, embedded: EmbeddedTables = EmbeddedTables()) {
    self.embedded = embedded
    let signaling = SignalingDatabase(database)
    self.database = signaling
    outboxSignal = signaling.signal
  }

  /// Finishes pending work and closes the database. Later calls throw.
  public func close() async {
    await database.close()
  }
}

extension DatabaseStorage: Storage {
  /// Writes a row, to detect a full disk or a read-only server. Excludes no other write.
  package func check() async throws(StorageError) { try await database.check() }
}

extension DatabaseStorage {
  /// Returns the recorded identity of the store, or nil.
  package func identity() async throws(StorageError) -> StoreIdentity? {
    try await database.read { (transaction) throws(StorageError) in try transaction.storeIdentity() }
  }

  /// Returns the recorded identity of the store. Records this one in a store without an identity, and begins the audit log if
  /// the store is new.
  package func claim(
    _ identity: StoreIdentity, beginning: AuditLogBeginning
  ) async throws(StorageError) -> StoreIdentity {
    try await database.write(.serial) { [dialect = database.dialect] (transaction) throws(StorageError) in
      if let found = try transaction.storeIdentity() { return found }
      try transaction.run(
        SQLStatement(
          "INSERT INTO identity (id, relying_party, secret_check) VALUES (1, $1, $2)",
          [.text(identity.relyingParty.text), .bytes(identity.secretCheck[...])]))
      let used = try transaction.batch(
        ["accounts", "audit", "audit_logs"].map { (table) in SQLStatement("SELECT 1 FROM \(table) LIMIT 1") })
      if used.allSatisfy(\.isEmpty) { try dialect.begin(beginning, in: transaction) }
      return identity
    }
  }
}

extension SQLTransaction {
  fileprivate func storeIdentity() throws(StorageError) -> StoreIdentity? {
    let row = try row(SQLStatement("SELECT relying_party, secret_check FROM identity WHERE id = 1"))
    return try row.map { (row) throws(StorageError) in
      let text = try row.text(0)
      return StoreIdentity(
        relyingParty: try row.checked(0) { try RelyingPartyID(text) }, secretCheck: Array(try row.bytes(1)))
    }
  }
}
