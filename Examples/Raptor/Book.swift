// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyService
import WebAuthnTypes

/// The accounts' cash, positions and orders, in tables beside those of the service.
struct Book: Sendable {
  let service: AuthService

  /// The tables. Erasing an account deletes its rows in the same transaction.
  static let tables = EmbeddedTables(
    creation: [
      "CREATE TABLE IF NOT EXISTS raptor_cash (person BLOB PRIMARY KEY NOT NULL, cents INTEGER NOT NULL)",
      """
      CREATE TABLE IF NOT EXISTS raptor_positions (
        person BLOB NOT NULL, symbol TEXT NOT NULL, quantity INTEGER NOT NULL, PRIMARY KEY (person, symbol))
      """,
      """
      CREATE TABLE IF NOT EXISTS raptor_orders (
        id TEXT PRIMARY KEY NOT NULL, person BLOB NOT NULL, time INTEGER NOT NULL, symbol TEXT NOT NULL,
        side TEXT NOT NULL, quantity INTEGER NOT NULL, cents INTEGER NOT NULL, confirmed INTEGER NOT NULL,
        outcome TEXT NOT NULL)
      """,
      "CREATE INDEX IF NOT EXISTS raptor_orders_person ON raptor_orders (person, time)",
    ],
    erasure: ["raptor_cash", "raptor_positions", "raptor_orders"].map { "DELETE FROM \($0) WHERE person = $1" })

  struct Account: Sendable {
    var cash = Money(cents: 10_000_000)
    var positions: [String: Int64] = [:]

    func held(_ symbol: String) -> Int64 { positions[symbol] ?? 0 }

    /// The cash plus the positions at market prices.
    var value: Money {
      positions.reduce(cash) { (sum, position) in
        sum + (Market.prices[position.key]?.times(position.value) ?? Money(cents: 0))
      }
    }
  }

  /// An order as stored.
  struct Entry: Sendable {
    let id: String
    let time: UnixTime
    let order: Order
    /// The value at the market price of that time.
    let value: Money
    let isConfirmed: Bool
    /// `filled`, or the reason for the rejection.
    let outcome: String
  }

  /// The reason for rejecting an order.
  enum Refusal: String { case cash = "order.not-enough-cash", position = "order.not-enough-held" }

  /// The outcome of an order.
  enum Outcome: Sendable {
    case filled(Account)
    case rejected(Refusal)
    /// The account's unconfirmed orders of an hour would exceed the threshold. Nothing was written.
    case confirmationRequired
  }

  func account(of person: UserHandle) async throws -> Account {
    try await service.transact { (transaction) throws(StorageError) in
      try Self.account(of: person) { (statement, values) throws(StorageError) in
        try transaction.rows(statement, values)
      }
    }
  }

  /// Returns an account's latest orders, newest first.
  func orders(of person: UserHandle) async throws -> [Entry] {
    try await service.transact { (transaction) throws(StorageError) in
      try transaction.rows(
        """
        SELECT id, time, symbol, side, quantity, cents, confirmed, outcome FROM raptor_orders
        WHERE person = $1 ORDER BY time DESC, rowid DESC LIMIT 100
        """, [.bytes(Array(person.bytes))]
      ).compactMap(Entry.init)
    }
  }

  /// Places an order. Runs inside the transaction that also spends the confirmation and appends the audit record: either
  /// all of it happens, or nothing.
  static func place(
    _ order: Order, as id: String, for person: UserHandle, at time: UnixTime, isConfirmed: Bool,
    in transaction: ServiceTransaction
  ) throws(StorageError) -> Outcome {
    let key = StorageValue.bytes(Array(person.bytes))
    if !isConfirmed {
      let sum = try transaction.rows(
        """
        SELECT coalesce(sum(cents), 0) FROM raptor_orders
        WHERE person = $1 AND confirmed = 0 AND outcome = 'filled' AND time > $2
        """, [key, .integer((time - OrderWindow.length).secondsSince1970)])
      let used = Money(cents: sum.first?.first?.integer ?? 0)
      guard used + order.value <= OrderWindow.threshold else { return .confirmationRequired }
    }
    var account = try account(of: person, transaction.rows)
    let refusal = account.apply(order)
    let outcome = refusal?.rawValue ?? "filled"
    _ = try transaction.rows(
      """
      INSERT INTO raptor_orders (id, person, time, symbol, side, quantity, cents, confirmed, outcome)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      """,
      [
        .text(id), key, .integer(time.secondsSince1970), .text(order.symbol), .text(order.side.rawValue),
        .integer(order.quantity), .integer(order.value.cents), .integer(isConfirmed ? 1 : 0), .text(outcome),
      ])
    // The deliverer sends these two events, because they are not the service's own.
    try transaction.record(
      AuditEvent(rawValue: refusal == nil ? "order.filled" : "order.rejected"),
      subject: (kind: "order", name: id), outcome: refusal?.rawValue ?? "ok",
      details: [
        "symbol": order.symbol, "side": order.side.rawValue, "quantity": "\(order.quantity)",
        "value": "\(order.value)", "confirmed": "\(isConfirmed)",
      ])
    if let refusal { return .rejected(refusal) }
    _ = try transaction.rows(
      "INSERT INTO raptor_cash (person, cents) VALUES ($1, $2) ON CONFLICT (person) DO UPDATE SET cents = excluded.cents",
      [key, .integer(account.cash.cents)])
    _ = try transaction.rows(
      """
      INSERT INTO raptor_positions (person, symbol, quantity) VALUES ($1, $2, $3)
      ON CONFLICT (person, symbol) DO UPDATE SET quantity = excluded.quantity
      """, [key, .text(order.symbol), .integer(account.held(order.symbol))])
    return .filled(account)
  }

  private static func account(
    of person: UserHandle, _ rows: (String, [StorageValue]) throws(StorageError) -> [[StorageValue]]
  ) throws(StorageError) -> Account {
    let key = [StorageValue.bytes(Array(person.bytes))]
    var account = Account()
    if let cents = try rows("SELECT cents FROM raptor_cash WHERE person = $1", key).first?.first?.integer {
      account.cash = Money(cents: cents)
    }
    for row in try rows("SELECT symbol, quantity FROM raptor_positions WHERE person = $1 AND quantity > 0", key) {
      guard let symbol = row.first?.text, let quantity = row.last?.integer else { continue }
      account.positions[symbol] = quantity
    }
    return account
  }
}

extension Book.Account {
  /// Executes an order. Returns the reason if it cannot be executed, and changes nothing then.
  fileprivate mutating func apply(_ order: Order) -> Book.Refusal? {
    switch order.side {
    case .buy:
      guard cash >= order.value else { return .cash }
      cash = cash - order.value
      positions[order.symbol] = held(order.symbol) + order.quantity
    case .sell:
      guard held(order.symbol) >= order.quantity else { return .position }
      let rest = held(order.symbol) - order.quantity
      positions[order.symbol] = rest == 0 ? nil : rest
      cash = cash + order.value
    }
    return nil
  }
}

extension Book.Entry {
  /// Decodes a row; nil if it is not one of this program's.
  fileprivate init?(_ row: [StorageValue]) {
    guard row.count == 8, let id = row[0].text, let time = row[1].integer, let symbol = row[2].text,
      let side = row[3].text.flatMap(Order.Side.init), let quantity = row[4].integer, let cents = row[5].integer,
      let confirmed = row[6].integer, let outcome = row[7].text
    else { return nil }
    self.init(
      id: id, time: UnixTime(secondsSince1970: time), order: Order(symbol: symbol, side: side, quantity: quantity),
      value: Money(cents: cents), isConfirmed: confirmed != 0, outcome: outcome)
  }
}

extension StorageValue {
  fileprivate var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
