// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import WebAuthnTypes

extension DatabaseStorage {
  /// Says whose the store is.
  public func claim(for identity: StoreIdentity) async throws(StorageError) -> StoreIdentity {
    try await database.write(.serial) { (transaction) throws(StorageError) in
      let found = SQLStatement("SELECT relying_party, secret_check FROM identity WHERE id = 1")
      if let row = try transaction.row(found) {
        let text = try row.text(0)
        return StoreIdentity(
          relyingParty: try row.checked(0) { try RelyingPartyID(text) }, secretCheck: Array(try row.bytes(1)))
      }
      try transaction.run(
        SQLStatement(
          "INSERT INTO identity (id, relying_party, secret_check) VALUES (1, $1, $2)",
          [.text(identity.relyingParty.text), .bytes(identity.secretCheck[...])]))
      return identity
    }
  }
}
