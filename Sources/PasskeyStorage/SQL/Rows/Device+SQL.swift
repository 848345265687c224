// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension Device {
  static let columns = "id, user_handle, service, token, created"

  init(_ row: SQLRow) throws(StorageError) {
    self.init(
      id: try row.fixed(0), user: try row.opaque(1), service: PushService(rawValue: try row.utf8(2)),
      token: try row.utf8(3), created: try row.time(4))
  }

  /// Finds a device by its push token, for any account.
  static func finding(_ service: PushService, _ token: String) -> SQLStatement {
    SQLStatement(
      "SELECT \(columns) FROM devices WHERE service = $1 AND token = $2", [.utf8(service.rawValue), .utf8(token)])
  }

  var insertion: SQLStatement {
    SQLStatement(
      """
      INSERT INTO devices (\(Self.columns), number) VALUES ($1, $2, $3, $4, $5,
        (SELECT coalesce(max(number), 0) + 1 FROM devices WHERE user_handle = $2))
      """,
      [.fixed(id), .opaque(user), .utf8(service.rawValue), .utf8(token), .time(created)])
  }
}
