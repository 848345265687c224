// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the credential that a response names, and whether its ceremony is spent. One whose salt is not in the store any
  /// more counts as spent.
  package func presented(
    _ credential: CredentialID, in ceremony: CeremonyID, sealedWith salt: ChallengeSalt
  ) async throws(StorageError) -> PresentedCredential {
    let statement = SQLStatement(
      PresentedCredential.selection,
      [.opaque(credential), Sentinel.firstID, .fixed(ceremony), .bytes(salt.bytes[...])])
    return try await database.find { (transaction) throws(StorageError) in
      try PresentedCredential(transaction.rows(statement))
    }
  }

  /// Spends a ceremony by itself. Returns false if it is spent already.
  package func spend(_ ceremony: CeremonyID) async throws(StorageError) -> Bool {
    try await write(.recording([], spending: ceremony)) { (transaction) throws(StorageError) in
      try transaction.spend(ceremony)
    }
  }

  /// Returns the salts of challenges that were made in this store and not in one of which it is a copy, the newest first.
  package func challengeSalts() async throws(StorageError) -> [ChallengeSalt] {
    try await database.read { [database] (transaction) throws(StorageError) in
      try transaction.challengeSalts(of: database.place(transaction))
    }
  }

  /// Adds a salt, unless one is as new as `time`, and deletes those that were created at no time in `lifetime` or in another
  /// store.
  ///
  /// - Returns: The salts, the newest first.
  package func addChallengeSalt(
    _ salt: ChallengeSalt, unlessSince time: UnixTime, deletingOutside lifetime: ClosedRange<UnixTime>
  ) async throws(StorageError) -> [ChallengeSalt] {
    let salts = try await challengeSalts()
    // Almost always, there is nothing to change.
    if let newest = salts.first, newest.created >= time, salts.allSatisfy({ lifetime ~= $0.created }) { return salts }
    return try await write(.objects([.challengeSalts])) { [database] (transaction) throws(StorageError) in
      let place = try database.place(transaction)
      try transaction.run(
        SQLStatement(
          "DELETE FROM challenge_salts WHERE created < $1 OR created > $2 OR place <> $3",
          [.time(lifetime.lowerBound), .time(lifetime.upperBound), .bytes(place[...])]))
      let kept = try transaction.challengeSalts(of: place)
      if let newest = kept.first, newest.created >= time { return kept }
      try transaction.add(salt, of: place)
      return try transaction.challengeSalts(of: place)
    }
  }

  /// Deletes all salts and adds one.
  package func replaceChallengeSalts(with salt: ChallengeSalt) async throws(StorageError) {
    try await write(.objects([.challengeSalts])) { [database] (transaction) throws(StorageError) in
      try transaction.run(SQLStatement("DELETE FROM challenge_salts"))
      try transaction.add(salt, of: database.place(transaction))
    }
  }

  /// Deletes spent ceremonies that expired before a time, `limit` at most, and returns their number.
  func sweepSpent(before time: UnixTime, limit: Int) async throws(StorageError) -> Int {
    let selection = "id IN (SELECT id FROM spent_ceremonies WHERE id < $1 ORDER BY id LIMIT \(max(0, limit)))"
    let statement = SQLStatement(
      "DELETE FROM spent_ceremonies WHERE \(database.dialect.unlocked("spent_ceremonies", where: selection)) RETURNING 1",
      [.bytes(CeremonyID.bound(of: time)[...])])
    return try await write(.parallel) { (transaction) throws(StorageError) in
      try transaction.rows(statement).count
    }
  }
}

extension SQLTransaction {
  /// Spends a ceremony. Returns false if it is spent already.
  func spend(_ ceremony: CeremonyID) throws(StorageError) -> Bool {
    try !rows(ceremony.spending).isEmpty
  }

  /// Whether a ceremony is spent.
  func isSpent(_ ceremony: CeremonyID?) throws(StorageError) -> Bool {
    guard let ceremony else { return false }
    return try row(SQLStatement("SELECT 1 FROM spent_ceremonies WHERE id = $1", [.fixed(ceremony)])) != nil
  }

  fileprivate func challengeSalts(of place: [UInt8]) throws(StorageError) -> [ChallengeSalt] {
    let statement = SQLStatement(
      "SELECT salt, created FROM challenge_salts WHERE place = $1 ORDER BY created DESC, salt", [.bytes(place[...])])
    return try rows(statement).map { (row) throws(StorageError) in
      ChallengeSalt(bytes: Array(try row.bytes(0)), created: try row.time(1))
    }
  }

  fileprivate func add(_ salt: ChallengeSalt, of place: [UInt8]) throws(StorageError) {
    try run(
      SQLStatement(
        "INSERT INTO challenge_salts (salt, created, place) VALUES ($1, $2, $3)",
        [.bytes(salt.bytes[...]), .time(salt.created), .bytes(place[...])]))
  }
}

extension CeremonyID {
  /// The statement that spends the ceremony, and returns a row unless it is spent.
  var spending: SQLStatement {
    SQLStatement("INSERT INTO spent_ceremonies (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1", [.fixed(self)])
  }

  /// The row of a spent ceremony.
  var insertion: SQLInsertion { SQLInsertion(table: "spent_ceremonies", columns: "id", values: [.fixed(self)]) }
}

extension PresentedCredential {
  /// Finds the passkey with ID $1 as ``Passkey/withAccount`` does, and whether the ceremony $3 is spent or its salt $4 gone.
  fileprivate static let selection = """
    SELECT found.*, CASE WHEN EXISTS (SELECT 1 FROM spent_ceremonies WHERE id = $3)
      OR NOT EXISTS (SELECT 1 FROM challenge_salts WHERE salt = $4) THEN 1 ELSE 0 END
    FROM (\(Passkey.withAccount)) AS found
    """

  /// Decodes a row of ``selection``. The sentinel's row is decoded and then discarded, so that a hit and a miss cost the
  /// same.
  fileprivate init(_ rows: [SQLRow]) throws(StorageError) {
    guard let row = rows.first else { throw StorageError(.corrupt, "the sentinel's passkey is missing") }
    let (passkey, account) = (try Passkey(row), try Account(row, at: Passkey.columnCount))
    let place = Passkey.columnCount + Account.columnCount
    let isSentinel = try row.flag(place)
    self.init(
      passkey: isSentinel ? nil : passkey, account: isSentinel ? nil : account, isSpent: try row.flag(place + 1))
  }
}
