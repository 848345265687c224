// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

extension KnownClient {
  static func all(of user: UserHandle) -> SQLStatement {
    SQLStatement("SELECT user_handle, client, expiry FROM known_clients WHERE user_handle = $1", [.opaque(user)])
  }

  init(_ row: SQLRow) throws(StorageError) {
    self.init(user: try row.opaque(0), key: Array(try row.bytes(1)), expiry: try row.time(2))
  }

  /// Stores the client, or its new expiry.
  var insertion: SQLStatement {
    SQLStatement(
      """
      INSERT INTO known_clients (user_handle, client, expiry) VALUES ($1, $2, $3)
      ON CONFLICT (user_handle, client) DO UPDATE SET expiry = excluded.expiry
      """, [.opaque(user), .bytes(key[...]), .time(expiry)])
  }
}
