// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension DatabaseStorage {
  /// Registers a device for push messages. A token registered to another account moves to this one.
  public func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) async throws(StorageError) -> DeviceRegistrationOutcome {
    try await database.write(.serial) { (transaction) throws(StorageError) in
      let answers = try transaction.batch([
        SQLStatement(Account.byHandle, [.opaque(device.user)]),
        SQLStatement("SELECT count(*) FROM devices WHERE user_handle = $1", [.opaque(device.user)]),
        Device.selection(device.service, device.token),
      ])
      guard answers.count == 3, let count = answers[1].first else {
        throw StorageError(.failed, "a statement has no result")
      }
      guard !answers[0].isEmpty else { return .unknownAccount }
      if let row = answers[2].first {
        let known = try Device(row)
        if known.user == device.user { return .known(known) }
      }
      guard try count.integer(0) < maximumCount else { return .tooMany }
      try transaction.run(
        SQLStatement(
          "DELETE FROM devices WHERE service = $1 AND token = $2",
          [.utf8(device.service.rawValue), .utf8(device.token)]))
      try transaction.run(device.insertion)
      try transaction.record(audit)
      return .registered
    }
  }

  /// Returns an account's devices, the earliest registered first.
  public func devices(of user: UserHandle) async throws(StorageError) -> [Device] {
    let statement = SQLStatement(
      "SELECT \(Device.columns) FROM devices WHERE user_handle = $1 ORDER BY number", [.opaque(user)])
    return try await database.read { (transaction) throws(StorageError) in
      var devices: [Device] = []
      for row in try transaction.rows(statement) { devices.append(try Device(row)) }
      return devices
    }
  }

  /// Deletes a device of an account. Returns false if the account has no such device.
  public func eraseDevice(
    _ selection: DeviceSelection, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool {
    let statement =
      switch selection {
      case .id(let id):
        SQLStatement(
          "DELETE FROM devices WHERE user_handle = $1 AND id = $2 RETURNING id", [.opaque(user), .fixed(id)])
      case .token(let service, let token):
        SQLStatement(
          "DELETE FROM devices WHERE user_handle = $1 AND service = $2 AND token = $3 RETURNING id",
          [.opaque(user), .utf8(service.rawValue), .utf8(token)])
      }
    return try await database.write(.serial) { (transaction) throws(StorageError) in
      guard try transaction.row(statement) != nil else { return false }
      try transaction.record(audit)
      return true
    }
  }
}

extension Device {
  static let columns = "id, user_handle, service, token, created"

  init(_ row: SQLRow) throws(StorageError) {
    self.init(
      id: try row.fixed(0), user: try row.opaque(1), service: PushService(rawValue: try row.utf8(2)),
      token: try row.utf8(3), created: try row.time(4))
  }

  /// Finds a device by its push token, for any account.
  static func selection(_ service: PushService, _ token: String) -> SQLStatement {
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
