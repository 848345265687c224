// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WebAuthnTypes

extension DatabaseStorage {
  /// Returns the recorded identity of the store: its relying party ID and the check value of the server secret. Records
  /// the identity and seals the audit chain first if `StoreClaim.settled(found:end:hasAccounts:)` requires it.
  public func claim(_ claim: StoreClaim) async throws(StorageError) -> StoreIdentity {
    try await database.write(.serial) { (transaction) throws(StorageError) in
      let row = try transaction.row(SQLStatement("SELECT relying_party, secret_check FROM identity WHERE id = 1"))
      let found = try row.map { (row) throws(StorageError) in
        let text = try row.text(0)
        return StoreIdentity(
          relyingParty: try row.checked(0) { try RelyingPartyID(text) }, secretCheck: Array(try row.bytes(1)))
      }
      var end = try transaction.auditEnd()
      let accounts = try transaction.rows(SQLStatement("SELECT 1 FROM accounts LIMIT 1"))
      let settlement = claim.settled(found: found, end: end, hasAccounts: !accounts.isEmpty)
      if let seal = settlement.seal {
        end.seal = seal
        transaction.setAuditEnd(end)
      }
      if settlement.writesIdentity {
        let identity = settlement.identity
        let statement =
          found == nil
          ? "INSERT INTO identity (id, relying_party, secret_check) VALUES (1, $1, $2)"
          : "UPDATE identity SET relying_party = $1, secret_check = $2 WHERE id = 1"
        try transaction.run(
          SQLStatement(statement, [.text(identity.relyingParty.text), .bytes(identity.secretCheck[...])]))
      }
      return settlement.identity
    }
  }
}
