// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

extension PendingCeremony {
  static let columns = "id, user_handle, expiry, payload"

  static let taking = "DELETE FROM ceremonies WHERE id = $1 RETURNING \(columns)"

  init?(_ rows: [SQLRow]?) throws(StorageError) {
    guard let row = rows?.first else { return nil }
    self.init(
      id: try row.fixed(0), user: try row.optionalHandle(1), expiry: try row.time(2), payload: Array(try row.bytes(3)))
  }

  var insertion: SQLStatement {
    SQLStatement(
      "INSERT INTO ceremonies (\(Self.columns)) VALUES ($1, $2, $3, $4)",
      [.fixed(id), .opaque(user), .time(expiry), .bytes(payload[...])])
  }
}
