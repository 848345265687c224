// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyStorage
import PasskeyTestSupport
import Testing

@testable import OwnDatabase
@testable import PasskeyHTTP

/// The example: a shop with the service's tables in its own database.
struct OwnDatabaseTests {
  private static let url = unsafe getenv("PASSKEY_TEST_POSTGRESQL").map { (text) in unsafe String(cString: text) }

  @Test func `an order and its confirmation are one transaction in the shop's own file`() async throws {
    let folder = try TemporaryFolder()
    try await check(try await SQLiteShop(folder.path + "/shop.db"))
  }

  @Test(.tags(.postgres), .enabled(if: url != nil, "no PostgreSQL here: Scripts/test starts one"))
  func `an order and its confirmation are one transaction in the shop's own PostgreSQL database`() async throws {
    let schema = "shop_\(Hex.encode(try RandomSource.system.bytes(8)))"
    let url = try #require(Self.url)
    try await check(try await PostgreSQLShop("\(url)?schema=\(schema)"))
    try await onThread { _ = try ShopConnection(url).column("DROP TABLE orders") }
  }

  private func check(_ shop: any Shop) async throws {
    let world = try EndpointWorld(database: shop.storage, own: { routes(of: shop, at: $0) })
    try await world.service.claimStore(at: world.now)
    let ada = try await Visitor.signedIn(world, "ada@example.org")
    let order = #"{"title":"Moby-Dick"}"#
    try await ada.ask("POST", "/api/orders", order).expect(401, "step-up.required")
    let grant = try await ada.grant("POST", "/api/orders", order)
    let wrong = try await ada.grant("POST", "/api/orders", #"{"title":"Emma"}"#)
    try await ada.ask("POST", "/api/orders", order, grant: wrong).expect(401, "step-up.grant-refused")
    #expect(try await ada.ask("GET", "/api/orders").expect(200).body == #"{"titles":[]}"#)
    try await ada.ask("POST", "/api/orders", order, grant: grant).expect(201)
    try await ada.ask("POST", "/api/orders", order, grant: grant).expect(401, "step-up.grant-refused")
    #expect(try await ada.ask("GET", "/api/orders").expect(200).body == #"{"titles":["Moby-Dick"]}"#)

    let account = try await #require(shop.storage.accounts(after: nil, matching: Account.Filter(), limit: 1).first)
    let events = try await shop.storage.auditEntries(after: 0, of: account.handle, limit: 1_000).map(\.record.event)
    #expect(events.count { $0.rawValue == "order.placed" } == 1)
    // The foreign key deletes the orders with the account.
    #expect(try await shop.storage.erase(account.handle, spending: nil, audit: []).refusal == nil)
    #expect(try await shop.titles(orderedBy: account.handle, in: world.service) == [])
    await shop.storage.close()
  }
}
