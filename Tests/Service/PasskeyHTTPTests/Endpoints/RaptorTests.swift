// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyProfiles
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySQLite
import PasskeyStorage
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import PasskeyHTTP
@testable import Raptor

/// The example: a server with its own endpoints, some of which require a confirmation.
struct RaptorTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A signed-in user of a server with its own tables in a new file.
  private func trader() async throws -> Visitor {
    let storage = try await SQLiteStorage.open(folder.path + "/raptor.sqlite", embedded: Book.tables)
    let world = try EndpointWorld(
      database: storage, { $0.destinations = [Journal.destination] }, own: { TradingFloor($0).routes })
    try await world.service.claimStore(at: world.now)
    return try await Visitor.signedIn(world, "ada@example.org")
  }

  private static func order(_ quantity: Int, _ side: String = "buy") -> String {
    #"{"symbol":"RAXX","side":"\#(side)","quantity":\#(quantity)}"#
  }

  @Test func `trading requires a sign-in`() async throws {
    var ada = try await trader()
    ada.token = nil
    try await ada.ask("GET", "/api/portfolio").expect(401, "session.unknown")
    try await ada.ask("POST", "/api/orders", Self.order(1)).expect(401, "session.unknown")
  }

  @Test func `the market has prices and the limit of unconfirmed orders, and orders have the value of their time`()
    async throws
  {
    let ada = try await trader()
    #expect(
      try await ada.ask("GET", "/api/market").expect(200).body == #"""
        {"currency":"USD","prices":[{"price":"987.00","symbol":"AIDAY"},{"price":"42.10","symbol":"RAXX"},\#
        {"price":"15.25","symbol":"YAPT"}],"unconfirmedLimit":"10000.00"}
        """#)
    try await ada.ask("POST", "/api/orders", Self.order(10)).expect(201)
    try await ada.ask("POST", "/api/orders", Self.order(1)).expect(201)
    let orders = try await ada.ask("GET", "/api/orders").expect(200).body
    // The newest is first, also within a second.
    let (newest, oldest) = (#""value":"42.10""#, #""value":"421.00""#)
    #expect(try #require(orders.firstRange(of: newest)).lowerBound < #require(orders.firstRange(of: oldest)).lowerBound)
  }

  @Test func `a small order needs no confirmation, and a large one does`() async throws {
    let ada = try await trader()
    #expect(try await ada.ask("GET", "/api/portfolio").expect(200)["cash"] == "100000.00")
    #expect(try await ada.ask("POST", "/api/orders", Self.order(10)).expect(201)["cash"] == "99579.00")

    // 300 at 42.10 come to 12630.00.
    let large = Self.order(300)
    let demanded = try await ada.ask("POST", "/api/orders", large)
    demanded.expect(401, "step-up.required")
    #expect(try demanded["stepUp", "path"] == "/api/orders")
    let another = try await ada.grant("POST", "/api/orders", Self.order(301))
    try await ada.ask("POST", "/api/orders", large, grant: another).expect(401, "step-up.grant-refused")

    let grant = try await ada.grant("POST", "/api/orders", large)
    #expect(try await ada.ask("POST", "/api/orders", large, grant: grant).expect(201)["cash"] == "86949.00")
    #expect(try await ada.ask("GET", "/api/portfolio").expect(200)["value"] == "100000.00")
    #expect(
      try await ada.ask("GET", "/api/positions").expect(200).body
        == #"{"positions":[{"quantity":310,"symbol":"RAXX"}]}"#)
  }

  @Test func `small orders of an hour need a confirmation once their sum passes the threshold`() async throws {
    let ada = try await trader()
    // 230 at 42.10 come to 9683.00; the threshold is 10000.00.
    try await ada.ask("POST", "/api/orders", Self.order(230)).expect(201)
    for quantity in [230, 8] {
      try await ada.ask("POST", "/api/orders", Self.order(quantity)).expect(401, "step-up.required")
    }
    let grant = try await ada.grant("POST", "/api/orders", Self.order(230))
    try await ada.ask("POST", "/api/orders", Self.order(230), grant: grant).expect(201)
    // A confirmed order is not part of the sum: 7 more come to 9977.70.
    try await ada.ask("POST", "/api/orders", Self.order(7)).expect(201)
    try await ada.ask("POST", "/api/orders", Self.order(1)).expect(401, "step-up.required")
  }

  @Test func `a rejected order does not count, and the sum resets after an hour`() async throws {
    var ada = try await trader()
    // 230 at 42.10 come to 9683.00; the threshold is 10000.00.
    try await ada.ask("POST", "/api/orders", Self.order(230, "sell")).expect(422)
    try await ada.ask("POST", "/api/orders", Self.order(230)).expect(201)
    for (seconds, status) in [(3_599, 401), (1, 201)] {
      ada.world.pass(seconds)
      ada.take(try await ada.signIn().expect(200))
      try await ada.ask("POST", "/api/orders", Self.order(230)).expect(status)
    }
  }

  @Test func `orders are rate limited by account`() async throws {
    let ada = try await trader()
    var statuses: [Int] = []
    for _ in 0..<60 { statuses.append(try await ada.ask("POST", "/api/orders", Self.order(1, "sell")).status) }
    #expect(statuses.prefix(20).allSatisfy { $0 == 422 })
    #expect(statuses.contains(429))
  }

  @Test func `an order that cannot be executed changes nothing`() async throws {
    let ada = try await trader()
    try await ada.ask("POST", "/api/orders", Self.order(1, "sell")).expect(422, "order.not-enough-held")
    let huge = Self.order(1_000_000)
    let grant = try await ada.grant("POST", "/api/orders", huge)
    try await ada.ask("POST", "/api/orders", huge, grant: grant).expect(422, "order.not-enough-cash")
    #expect(try await ada.ask("GET", "/api/portfolio").expect(200)["cash"] == "100000.00")
  }

  @Test func `a grant confirms one of many concurrent orders`() async throws {
    let ada = try await trader()
    let large = Self.order(300)
    let grant = try await ada.grant("POST", "/api/orders", large)
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<12 { group.addTask { try await ada.ask("POST", "/api/orders", large, grant: grant).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // The others get the answer of the first one.
    #expect(statuses == Array(repeating: 201, count: 12))
    #expect(try await ada.ask("GET", "/api/portfolio").expect(200)["cash"] == "87370.00")
    #expect(try await ada.world.service.outboxItems(limit: 99).count == 1)
  }

  @Test func `a confirmed order that is sent again is answered as the first time, and is placed once`() async throws {
    var ada = try await trader()
    let large = Self.order(300)
    let grant = try await ada.grant("POST", "/api/orders", large)
    let first = try await ada.ask("POST", "/api/orders", large, grant: grant).expect(201)
    // Longer than a confirmation is valid before its use.
    ada.world.pass(61)
    let again = try await ada.ask("POST", "/api/orders", large, grant: grant).expect(201)
    #expect(try again.body == first.body && again["cash"] == "87370.00")
    // It confirms nothing else, also not to another session.
    try await ada.ask("POST", "/api/orders", Self.order(1), grant: grant).expect(401, "step-up.grant-refused")
    let other = try await Visitor.signedIn(ada.world, "bob@example.org")
    try await other.ask("POST", "/api/orders", large, grant: grant).expect(401, "step-up.grant-refused")
    #expect(try await ada.ask("GET", "/api/portfolio").expect(200)["cash"] == "87370.00")
    // A refused order is answered again too.
    let huge = Self.order(1_000_000)
    let second = try await ada.grant("POST", "/api/orders", huge)
    try await ada.ask("POST", "/api/orders", huge, grant: second).expect(422, "order.not-enough-cash")
    ada.world.repeatsAnswers.withLock { $0 = true }
    try await ada.ask("POST", "/api/orders", huge, grant: second).expect(422, "order.not-enough-cash")
    ada.world.repeatsAnswers.withLock { $0 = false }
    let orders = try await ada.ask("GET", "/api/orders").expect(200).body
    #expect(orders.split(separator: #""outcome""#).count == 3)
    // The answers end with the session.
    ada.take(try await ada.signIn().expect(200))
    try await ada.ask("POST", "/api/orders", huge, grant: second).expect(401, "step-up.grant-refused")
  }

  @Test func `filled and rejected orders are listed and reported with ids only`() async throws {
    let ada = try await trader()
    try await ada.ask("POST", "/api/orders", Self.order(10)).expect(201)
    try await ada.ask("POST", "/api/orders", Self.order(11, "sell")).expect(422)
    let orders = try await ada.ask("GET", "/api/orders").expect(200)
    #expect(orders.body.contains(#""outcome":"filled""#) && orders.body.contains(#""outcome":"order.not-enough-held""#))
    let notices = try await ada.world.service.outboxItems(limit: 9).map(\.notice)
    #expect(notices.map(\.event.rawValue) == ["order.filled", "order.rejected"])
    for notice in notices { #expect(!String(decoding: notice.data, as: UTF8.self).contains("example.org")) }
  }

  @Test func `erasing an account deletes its orders, cash and positions`() async throws {
    let ada = try await trader()
    try await ada.ask("POST", "/api/orders", Self.order(10)).expect(201)
    let account = try #require(await ada.world.service.accounts(limit: 1, by: .console).first)
    try await ada.world.service.erase(account.handle, by: .console, in: ada.world.console)
    let rows = try await ada.world.service.transact { (transaction) throws(StorageError) in
      try transaction.rows(
        """
        SELECT (SELECT count(*) FROM raptor_cash) + (SELECT count(*) FROM raptor_positions)
          + (SELECT count(*) FROM raptor_orders)
        """, [])
    }
    #expect(rows == [[.integer(0)]])
  }

  @Test(arguments: [
    #"{}"#, #"{"symbol":"NONE","side":"buy","quantity":1}"#, #"{"symbol":"RAXX","side":"hold","quantity":1}"#,
    #"{"symbol":"RAXX","side":"buy","quantity":0}"#, #"{"symbol":"RAXX","side":"buy","quantity":-1}"#,
    #"{"symbol":"RAXX","side":"buy","quantity":1000001}"#, #"{"symbol":"RAXX","side":"buy","quantity":1.5}"#,
    #"{"symbol":"RAXX","side":"buy","quantity":99999999999999999999}"#,
  ])
  func `a malformed order is refused`(body: String) async throws {
    #expect(try await trader().ask("POST", "/api/orders", body).status == 400)
  }

  @Test func `the audit trail records each order and its outcome`() async throws {
    let ada = try await trader()
    try await ada.ask("POST", "/api/orders", Self.order(10)).expect(201)
    try await ada.ask("POST", "/api/orders", Self.order(11, "sell")).expect(422)
    let entries = try await ada.world.service.auditEntries(limit: 100)
    let orders = entries.filter { $0.record.event.rawValue.hasPrefix("order.") }
    #expect(orders.map(\.record.outcome) == ["ok", "order.not-enough-held"])
    #expect(orders.first?.record.details["value"] == "421.00")
    try await ada.world.service.sweep(at: ada.world.now)
    #expect(try await ada.world.service.verifyAuditTrail().waitingCount == 0)
  }
}
