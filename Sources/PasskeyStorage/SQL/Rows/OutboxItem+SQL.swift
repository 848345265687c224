// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

extension SQLWrite {
  /// Writes notices, one row for each destination.
  func enqueue(_ notices: [RoutedNotice]) throws(StorageError) {
    guard !notices.isEmpty else { return }
    try run(notices.flatMap(\.insertions))
    writesNotices = true
  }

  /// Makes the first row of a lane due, unless it already is.
  func promote(_ destination: SQLValue, _ lane: SQLValue, at time: Timestamp) throws(StorageError) {
    try run(
      SQLStatement(
        """
        UPDATE outbox SET due = $3 WHERE due IS NULL AND number = (
          SELECT min(number) FROM outbox WHERE destination = $1 AND lane = $2 AND died IS NULL)
        """, [destination, lane, .time(time)]))
    writesNotices = true
  }
}

extension RoutedNotice {
  /// Statements that write the notice. It is due at once if no earlier notice of its lane waits.
  var insertions: [SQLStatement] {
    destinations.map { (destination) in
      SQLStatement(
        """
        INSERT INTO outbox (number, notice, destination, lane, event, account, time, data, delivered, attempts, due)
        VALUES ((SELECT coalesce(max(number), 0) + 1 FROM outbox), $1, $2, $3, $4, $5, $6, $7, $8, 0,
          CASE WHEN EXISTS (SELECT 1 FROM outbox WHERE destination = $2 AND lane = $3 AND died IS NULL) THEN NULL
            ELSE CAST($9 AS bigint) END)
        """,
        [
          .fixed(notice.id), .utf8(destination.rawValue), .bytes(notice.lane[...]), .utf8(notice.event.rawValue),
          .opaque(notice.account), .time(notice.time), .bytes(notice.data[...]), .bytes([]), .time(notice.time),
        ])
    }
  }
}

extension OutboxItem {
  static let columns =
    "number, notice, destination, event, account, time, data, attempts, due, owner, delivered, died, reason"

  init(_ row: SQLRow) throws(StorageError) {
    let delivered = try row.bytes(10)
    var devices: [DeviceID] = []
    for start in stride(from: delivered.startIndex, to: delivered.endIndex, by: DeviceID.byteCount) {
      guard let device = DeviceID(delivered[start...].prefix(DeviceID.byteCount)) else { throw row.unexpected(10) }
      devices.append(device)
    }
    self.init(
      number: try row.integer(0),
      notice: Notice(
        id: try row.fixed(1), event: NoticeEvent(rawValue: try row.utf8(3)), account: try row.optionalHandle(4),
        time: try row.time(5), data: Array(try row.bytes(6))),
      destination: DestinationName(rawValue: try row.utf8(2)), failedAttempts: Int(clamping: try row.integer(7)),
      due: try row.optionalTime(8), owner: row.isNull(9) ? nil : try row.fixed(9), delivered: devices,
      died: try row.optionalTime(11), reason: row.isNull(12) ? nil : try row.utf8(12))
  }
}

extension OutboxSelection {
  /// The condition that rows of the selection fulfill, and its values.
  var condition: (text: String, values: [SQLValue]) {
    var conditions: [String] = []
    var values: [SQLValue] = []
    if let notice {
      values.append(.fixed(notice))
      conditions.append("notice = $\(values.count)")
    }
    if let destination {
      values.append(.utf8(destination.rawValue))
      conditions.append("destination = $\(values.count)")
    }
    if deadOnly { conditions.append("died IS NOT NULL") }
    return (conditions.isEmpty ? "1 = 1" : conditions.joined(separator: " AND "), values)
  }
}
