// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the credentials to offer at sign-in, grouped by account. Accounts are in the order of their handles, which
  /// are random, and each account's credentials are sorted by creation. Returns at most `limit` credentials, and omits
  /// an account whose credentials do not all fit. Pending accounts are left out: a stranger can create any number.
  package func credentialLists(limit: Int) async throws(StorageError) -> [[CredentialDescriptor]] {
    let statement = SQLStatement(
      """
      SELECT user_handle, record, disabled FROM passkeys JOIN accounts ON handle = user_handle
      WHERE state <> 'pending' AND awaits_verification = 0 ORDER BY user_handle, number LIMIT $1
      """,
      [.integer(Int64(clamping: limit))])
    return try await database.read { (transaction) throws(StorageError) in
      let rows = try transaction.rows(statement)
      var lists: [(user: UserHandle, credentials: [CredentialDescriptor])] = []
      for row in rows {
        let user: UserHandle = try row.opaque(0)
        if lists.last?.user != user { lists.append((user, [])) }
        guard try !row.flag(2) else { continue }
        let bytes = try row.bytes(1)
        let record = try row.checked(1) { try CredentialRecord(parsing: [UInt8](bytes)) }
        lists[lists.count - 1].credentials.append(record.descriptor)
      }
      // The limit may have cut off the last account's list.
      if rows.count >= limit, lists.count > 1 { lists.removeLast() }
      return lists.map(\.credentials)
    }
  }

  /// Returns the lists last stored by ``storeDecoyLists(_:replacing:)`` on any server.
  package func decoyLists() async throws(StorageError) -> [UInt8]? {
    try await database.read { (transaction) throws(StorageError) in
      guard let row = try transaction.row(SQLStatement(Self.storedDecoyLists)) else { return nil }
      return Array(try row.bytes(0))
    }
  }

  /// Stores the lists unless there are some, or replaces those. Returns the lists that are stored then.
  package func storeDecoyLists(_ lists: [UInt8], replacing: Bool) async throws(StorageError) -> [UInt8] {
    let conflict = replacing ? "UPDATE SET lists = excluded.lists" : "NOTHING"
    return try await write(.objects([.decoyLists])) { (transaction) throws(StorageError) in
      try transaction.run(
        SQLStatement(
          "INSERT INTO decoys (id, lists) VALUES (1, $1) ON CONFLICT (id) DO \(conflict)", [.bytes(lists[...])]))
      guard let row = try transaction.row(SQLStatement(Self.storedDecoyLists)) else { return lists }
      return Array(try row.bytes(0))
    }
  }

  private static let storedDecoyLists = "SELECT lists FROM decoys WHERE id = 1"
}
