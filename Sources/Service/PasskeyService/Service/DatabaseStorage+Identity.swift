// SPDX-License-Identifier: Apache-2.0

public import PasskeyStorage
internal import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the store's identity; nil if no server has claimed the store.
  package func identity() async throws(StorageError) -> StoreIdentity? {
    try await database.read { (transaction) throws(StorageError) in try transaction.storeIdentity() }
  }

  /// Claims the store for a relying party and secret: writes the identity if it is missing, and begins the log of a new store,
  /// one with no identity, accounts, records and log. An attacker who deletes the identity and the trail must not get a new
  /// log for forged records.
  ///
  /// - Returns: The store's identity, which may be another server's.
  package func claim(
    _ identity: StoreIdentity, beginning: AuditLogBeginning
  ) async throws(StorageError) -> StoreIdentity {
    try await write(.serial) { [dialect = database.dialect] (transaction) throws(StorageError) in
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

extension DatabaseStorage {
  /// Returns whether there are no accounts yet. Only then may a server make a new secret.
  ///
  /// - Throws: A storage code.
  public func isEmpty() async throws(StorageError) -> Bool {
    try await accounts(after: nil, matching: Account.Filter(), limit: 1).isEmpty
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
