// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

extension KnownClient {
  static func all(of user: UserHandle) -> SQLStatement {
    SQLStatement("SELECT user_handle, client, expiry FROM known_clients WHERE user_handle = $1", [.opaque(user)])
  }

  init(_ row: SQLRow) throws(StorageError) {
    self.init(user: try row.opaque(0), key: Array(try row.bytes(1)), expiry: try row.time(2))
  }

  /// The row of the client, or its new expiry.
  var insertion: SQLInsertion {
    SQLInsertion(
      table: "known_clients", columns: "user_handle, client, expiry",
      values: [.opaque(user), .bytes(key[...]), .time(expiry)],
      conflict: "ON CONFLICT (user_handle, client) DO UPDATE SET expiry = excluded.expiry")
  }
}
