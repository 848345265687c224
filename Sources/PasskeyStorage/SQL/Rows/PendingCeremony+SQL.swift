// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

extension PendingCeremony {
  static let columns = "id, user_handle, client, expiry, payload"

  static let taking = "DELETE FROM ceremonies WHERE id = $1 RETURNING \(columns)"

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    self.init(
      id: try row.fixed(0), user: try row.optionalHandle(1), client: row.isNull(2) ? [] : Array(try row.bytes(2)),
      expiry: try row.time(3), payload: Array(try row.bytes(4)))
  }

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO ceremonies (\(Self.columns)) VALUES ($1, $2, $3, $4, $5)",
      [.fixed(id), .opaque(user), .bytes(client[...]), .time(expiry), .bytes(payload[...])])
  }
}
