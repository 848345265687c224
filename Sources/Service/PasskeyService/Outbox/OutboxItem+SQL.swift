// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

extension SQLWrite {
  /// Writes notices, one row for each destination, many of them with one statement.
  func enqueue(_ notices: [RoutedNotice]) throws(StorageError) {
    let arrivals = notices.flatMap(\.arrivals)[...]
    guard !arrivals.isEmpty else { return }
    writesNotices = true
    guard arrivals.count >= OutboxArrival.smallBatch else {
      return try run(arrivals.map { (arrival) in arrival.insertion(dialect.outboxNumber).statement })
    }
    if case .drawn = dialect.outboxNumber { return try insert(arrivals, after: nil) }
    guard let row = try row(SQLStatement("SELECT coalesce(max(number), 0) FROM outbox")) else {
      throw StorageError(.failed, "no number for a notice")
    }
    try insert(arrivals, after: row.integer(0))
  }

  /// Writes arrivals with the numbers after this one, or with numbers of the sequence.
  private func insert(_ arrivals: ArraySlice<OutboxArrival>, after last: Int64?) throws(StorageError) {
    var (rest, last) = (arrivals, last)
    while !rest.isEmpty {
      let count = rest.count >= OutboxArrival.largeBatch ? OutboxArrival.largeBatch : OutboxArrival.smallBatch
      guard rest.count >= count else {
        return try run(rest.map { (arrival) in arrival.insertion(dialect.outboxNumber).statement })
      }
      try run(OutboxArrival.insertion(of: rest.prefix(count), after: last))
      rest = rest.dropFirst(count)
      last = last.map { (last) in last + Int64(count) }
    }
  }

  /// Gives arrived notices of these ranks their places in their lanes, and makes the first of each lane due. Returns their
  /// number.
  func arrange(
    _ destination: SQLValue, through rank: NoticeRank, limit: Int
  ) throws(StorageError) -> Int {
    let arrived = try rows(
      SQLStatement(
        """
        SELECT number, lane FROM outbox WHERE destination = $1 AND arranged = 0 AND rank <= $2
        ORDER BY rank, number LIMIT $3
        """, [destination, .integer(Int64(rank.rawValue)), .integer(Int64(clamping: limit))]))
    for row in arrived {
      try run(
        SQLStatement(
          """
          UPDATE outbox SET arranged = 1, due = CASE WHEN EXISTS (
            SELECT 1 FROM outbox WHERE destination = $1 AND lane = $2 AND died IS NULL AND arranged = 1)
            THEN NULL ELSE time END
          WHERE number = $3
          """, [destination, .bytes(try row.bytes(1)), .integer(try row.integer(0))]))
    }
    return arrived.count
  }

  /// Makes the first row of a lane due, unless it already is.
  func promote(_ destination: SQLValue, _ lane: SQLValue, at time: UnixTime) throws(StorageError) {
    try run(
      SQLStatement(
        """
        UPDATE outbox SET due = $3 WHERE due IS NULL AND number = (
          SELECT min(number) FROM outbox WHERE destination = $1 AND lane = $2 AND died IS NULL AND arranged = 1)
        """, [destination, lane, .time(time)]))
    writesNotices = true
  }
}

extension RoutedNotice {
  /// The rows of the notice.
  fileprivate var arrivals: [OutboxArrival] {
    destinations.map { (destination) in OutboxArrival(notice: notice, destination: destination) }
  }

  /// The rows of the notice, with this number.
  func insertions(_ number: SQLInsertion.Number) -> [SQLInsertion] {
    arrivals.map { (arrival) in arrival.insertion(number) }
  }
}

/// A notice for one destination, as it arrives in the outbox.
private struct OutboxArrival {
  let notice: Notice
  let destination: DestinationName

  /// The numbers of rows that one statement writes. Few different numbers, because each is a prepared statement.
  static let largeBatch = 64
  static let smallBatch = 8

  private static let columns =
    "notice, destination, lane, event, account, time, data, rank, delivered, attempts, arranged"

  private static let valueCount = 8

  private var values: [SQLValue] {
    [
      .fixed(notice.id), .utf8(destination.rawValue), .bytes(notice.lane[...]), .utf8(notice.event.rawValue),
      .opaque(notice.account), .time(notice.time), .bytes(notice.data[...]),
      .integer(Int64(notice.rank.rawValue)),
    ]
  }

  /// The row with this number.
  func insertion(_ number: SQLInsertion.Number) -> SQLInsertion {
    SQLInsertion(
      table: "outbox", columns: Self.columns, values: values + [.bytes([]), .integer(0), .integer(0)], number: number)
  }

  /// A statement that writes rows with the numbers after this one, or with numbers of the sequence.
  static func insertion(of rows: ArraySlice<OutboxArrival>, after last: Int64?) -> SQLStatement {
    var values: [SQLValue] = [.bytes([])]
    values.reserveCapacity(rows.count * (valueCount + 1) + 1)
    for (offset, row) in rows.enumerated() {
      if let last { values.append(.integer(last + 1 + Int64(offset))) }
      values += row.values
    }
    let texts = last == nil ? drawing : counting
    return SQLStatement(rows.count == largeBatch ? texts.large : texts.small, values)
  }

  private static let counting = (
    large: insertion(of: largeBatch, isDrawing: false), small: insertion(of: smallBatch, isDrawing: false)
  )
  private static let drawing = (
    large: insertion(of: largeBatch, isDrawing: true), small: insertion(of: smallBatch, isDrawing: true)
  )

  private static func insertion(of count: Int, isDrawing: Bool) -> String {
    let width = isDrawing ? valueCount : valueCount + 1
    let rows = (0..<count).map { (row) in
      let first = 2 + row * width
      let parameters = (first..<first + width).map { (place) in "$\(place)" }
      let items = (isDrawing ? ["nextval('outbox_number')"] : []) + parameters + ["$1", "0", "0"]
      return "(\(items.joined(separator: ", ")))"
    }
    return "INSERT INTO outbox (number, \(columns)) VALUES \(rows.joined(separator: ", "))"
  }
}

extension OutboxItem {
  static let columns =
    """
    number, notice, destination, event, account, time, data, attempts, CASE WHEN arranged = 0 THEN time ELSE due END,
    owner, delivered, died, reason, rank
    """

  init(_ row: SQLRow) throws(StorageError) {
    let delivered = try row.bytes(10)
    var devices: [Device.ID] = []
    for start in stride(from: delivered.startIndex, to: delivered.endIndex, by: Device.ID.byteCount) {
      guard let device = Device.ID(delivered[start...].prefix(Device.ID.byteCount)) else { throw row.unexpected(10) }
      devices.append(device)
    }
    guard let rank = NoticeRank(rawValue: Int(clamping: try row.integer(13))) else { throw row.unexpected(13) }
    self.init(
      number: try row.integer(0),
      notice: Notice(
        id: try row.fixed(1), event: NoticeEvent(rawValue: try row.utf8(3)), account: try row.optionalHandle(4),
        time: try row.time(5), data: Array(try row.bytes(6)), rank: rank),
      destination: DestinationName(rawValue: try row.utf8(2)), failedAttempts: Int(clamping: try row.integer(7)),
      due: try row.optionalTime(8), owner: row.isNull(9) ? nil : try row.fixed(9), delivered: devices,
      died: try row.optionalTime(11), reason: row.isNull(12) ? nil : try row.utf8(12))
  }
}

extension OutboxClaim {
  /// The numbers of the notices to claim. Each rank is a range of the index, so that no row is read that is not due.
  var due: SQLStatement {
    let ranks = NoticeRank.allCases.map { (rank) in
      """
      SELECT * FROM (SELECT number, rank, due FROM outbox
        WHERE destination = $1 AND rank = \(rank.rawValue) AND due <= $2
        ORDER BY due, number LIMIT \(rank == .stranger ? "$4" : "$3")) AS ranked
      """
    }
    return SQLStatement(
      """
      SELECT number FROM (\(ranks.joined(separator: " UNION ALL "))) AS found ORDER BY rank, due, number LIMIT $3
      """,
      [
        .utf8(destination.rawValue), .time(time), .integer(Int64(clamping: limit)),
        .integer(Int64(clamping: strangerLimit)),
      ])
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
