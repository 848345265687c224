// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the credential descriptors of enabled passkeys, grouped by account, from at most `limit` passkeys of
  /// accounts that are neither pending nor await a verification.
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

  /// Returns the stored lists from which decoys are drawn, or nil.
  package func decoyLists() async throws(StorageError) -> [UInt8]? {
    try await database.read { (transaction) throws(StorageError) in
      guard let row = try transaction.row(SQLStatement(Self.storedDecoyLists)) else { return nil }
      return Array(try row.bytes(0))
    }
  }

  /// Stores the lists from which decoys are drawn unless there are some, or replaces those. Returns the stored lists.
  package func storeDecoyLists(_ lists: [UInt8], replacing: Bool) async throws(StorageError) -> [UInt8] {
    let conflict = replacing ? "UPDATE SET lists = excluded.lists" : "NOTHING"
    return try await database.write(.objects([.decoyLists])) { (transaction) throws(StorageError) in
      try transaction.run(
        SQLStatement(
          "INSERT INTO decoys (id, lists) VALUES (1, $1) ON CONFLICT (id) DO \(conflict)", [.bytes(lists[...])]))
      guard let row = try transaction.row(SQLStatement(Self.storedDecoyLists)) else { return lists }
      return Array(try row.bytes(0))
    }
  }

  private static let storedDecoyLists = "SELECT lists FROM decoys WHERE id = 1"
}
