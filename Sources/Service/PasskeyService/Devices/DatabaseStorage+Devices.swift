// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Registers a device. If the account has already registered it, only updates its platform and time zone, where they
  /// are given. A registration of the same token by another account is revoked, and a revoked one stays as it is.
  ///
  /// The maximum counts the devices that are not revoked. Of the revoked ones, a store keeps the newest
  /// ``Device/keptRevokedCount``.
  ///
  /// - Returns: The device, or the one that the account had already registered; then nothing is recorded.
  package func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) async throws(StorageError) -> Result<Device, ServiceError> {
    let order = WriteOrder.objects([.account(device.user), .pushToken(of: device)], recording: audit)
    return try await write(order) { (transaction) throws(StorageError) in
      let answers = try transaction.batch([
        SQLStatement(Account.byHandle, [.opaque(device.user)]),
        SQLStatement("SELECT count(*) FROM devices WHERE user_handle = $1 AND revoked IS NULL", [.opaque(device.user)]),
        Device.selection(device.service, device.token),
      ])
      guard answers.count == 3, let count = answers[1].first else {
        throw StorageError(.failed, "a statement has no result")
      }
      guard !answers[0].isEmpty else { return .refused(.accountUnknown) }
      if let row = answers[2].first {
        var known = try Device(row)
        if known.user == device.user {
          known.platform = device.platform ?? known.platform
          known.timeZone = device.timeZone ?? known.timeZone
          try transaction.run(known.update)
          return .success(known)
        }
      }
      guard try count.integer(0) < maximumCount else { return .refused(.deviceTooMany) }
      try transaction.run([
        SQLStatement(
          "UPDATE devices SET revoked = $3 WHERE service = $1 AND token = $2 AND revoked IS NULL",
          [.utf8(device.service.rawValue), .utf8(device.token), .time(device.created)]),
        device.insertion,
        device.user.trimmingOfRevokedDevices,
      ])
      try transaction.record(audit)
      return .success(device)
    }
  }

  /// Returns the devices of an account, the revoked ones included, oldest registration first.
  package func devices(of user: UserHandle) async throws(StorageError) -> [Device] {
    let statement = SQLStatement(
      "SELECT \(Device.columns) FROM devices WHERE user_handle = $1 ORDER BY number", [.opaque(user)])
    return try await database.read { (transaction) throws(StorageError) in
      var devices: [Device] = []
      for row in try transaction.rows(statement) { devices.append(try Device(row)) }
      return devices
    }
  }

  /// Revokes a device of an account. Its registration stays until the account is erased.
  ///
  /// - Returns: Whether the account had the device and it was not revoked.
  package func revokeDevice(
    _ selection: DeviceSelection, of user: UserHandle, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let (condition, values): (String, [SQLValue]) =
      switch selection {
      case .id(let id): ("id = $3", [.fixed(id)])
      case .token(let service, let token): ("service = $3 AND token = $4", [.utf8(service.rawValue), .utf8(token)])
      }
    let statement = SQLStatement(
      "UPDATE devices SET revoked = $2 WHERE user_handle = $1 AND revoked IS NULL AND \(condition) RETURNING id",
      [.opaque(user), .time(time)] + values)
    return try await write(.account(user, recording: audit)) { (transaction) throws(StorageError) in
      guard try transaction.row(statement) != nil else { return false }
      try transaction.record(audit)
      return true
    }
  }
}

extension Device {
  static let columns = "id, user_handle, service, token, created, platform, time_zone, revoked"

  init(_ row: SQLRow) throws(StorageError) {
    self.init(
      id: try row.fixed(0), user: try row.opaque(1), service: PushService(rawValue: try row.utf8(2)),
      token: try row.utf8(3), platform: try row.optionalText(5), timeZone: try row.optionalText(6),
      created: try row.time(4), revoked: try row.optionalTime(7))
  }

  /// Finds the device with a push token that is not revoked, of any account.
  static func selection(_ service: PushService, _ token: String) -> SQLStatement {
    SQLStatement(
      "SELECT \(columns) FROM devices WHERE service = $1 AND token = $2 AND revoked IS NULL",
      [.utf8(service.rawValue), .utf8(token)])
  }

  var insertion: SQLStatement {
    SQLStatement(
      """
      INSERT INTO devices (\(Self.columns), number) VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
        (SELECT coalesce(max(number), 0) + 1 FROM devices WHERE user_handle = $2))
      """,
      [
        .fixed(id), .opaque(user), .utf8(service.rawValue), .utf8(token), .time(created), .text(platform),
        .text(timeZone), .time(revoked),
      ])
  }

  /// Updates the columns that a repeated registration changes.
  var update: SQLStatement {
    SQLStatement(
      "UPDATE devices SET platform = $2, time_zone = $3 WHERE id = $1", [.fixed(id), .text(platform), .text(timeZone)])
  }
}

extension UserHandle {
  /// Deletes all but the newest revoked devices of the account.
  fileprivate var trimmingOfRevokedDevices: SQLStatement {
    SQLStatement(
      """
      DELETE FROM devices WHERE user_handle = $1 AND revoked IS NOT NULL AND number <= (
        SELECT number FROM devices WHERE user_handle = $1 AND revoked IS NOT NULL
        ORDER BY number DESC LIMIT 1 OFFSET $2)
      """, [.opaque(self), .integer(Int64(clamping: Device.keptRevokedCount))])
  }
}
