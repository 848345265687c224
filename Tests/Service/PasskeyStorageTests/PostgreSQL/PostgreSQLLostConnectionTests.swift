// SPDX-License-Identifier: Apache-2.0

import FaultProxy
@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// The connection is cut inside a transaction.
  @Suite(.tags(.alone)) struct LostLineTests {
    private let proxy: ProxyServer
    private let configuration: PostgreSQLConfiguration
    private let direct: PostgreSQLStorage

    init() async throws {
      let url = try #require(PostgreSQLServer.url)
      let port = try #require(url.split(separator: ":").last?.split(separator: "/").first.flatMap { UInt16($0) })
      proxy = try ProxyServer(to: .loopback(port), .bytes)
      try proxy.open()
      configuration = try PostgreSQLServer.configuration(
        url: url.replacing(":\(port)/", with: ":\(proxy.port)/"), reconnectTimeout: .seconds(5))
      var straight = configuration
      straight.url = url
      direct = try await PostgreSQLStorage.open(straight)
    }

    @Test(arguments: [true, false])
    func `a transaction cut off before its commit is repeated once`(isDelivered: Bool) async throws {
      let storage = try await PostgreSQLStorage.open(configuration)
      // The locks travel with the reads, and the writes with the commit.
      let point: FaultRule.Direction = isDelivered ? .reply : .request
      proxy.add(FaultRule(.word("pg_advisory_xact_lock"), occurrence: 1, point, .cut(after: 0)))
      let person = try SampleUser()
      try await person.register(with: storage)
      #expect(proxy.faultCount == 1)
      #expect(try await direct.account(person.account.handle) == person.account)
      #expect(try await direct.recordCount == 1)
      await close(storage)
    }

    @Test(arguments: [true, false])
    func `a commit with a lost answer is reported as unknown`(isDelivered: Bool) async throws {
      let storage = try await PostgreSQLStorage.open(configuration)
      let person = try SampleUser()
      proxy.add(FaultRule(.word("COMMIT\0"), occurrence: 1, isDelivered ? .reply : .request, .cut(after: 0)))
      await expectCode(.outcomeUnknown) { try await person.register(with: storage) }
      #expect(proxy.faultCount == 1)
      // The result is certain once the server has finished: a serial write waits for that.
      #expect(try await direct.drop(OutboxSelection(), at: Sample.start) == 0)
      #expect(try await direct.account(person.account.handle) == (isDelivered ? person.account : nil))
      #expect(try await direct.recordCount == (isDelivered ? 1 : 0))
      let next = try SampleUser()
      try await next.register(with: storage)
      #expect(try await direct.account(next.account.handle) == next.account)
      await close(storage)
    }

    @Test func `batches of two servers never wait for each other`() async throws {
      // Concurrent batches that spend ceremonies in different orders at two servers.
      let storages = [direct, try await PostgreSQLStorage.open(configuration)]
      let before = try await PostgreSQLServer.run(
        "SELECT deadlocks::bigint FROM pg_stat_database WHERE datname = current_database()")
      for _ in 0..<10 {
        let ceremonies = try (0..<40).map { (_) in try Sample.ceremony() }
        let taken = try await withThrowingTaskGroup(of: Int.self) { (group) in
          for (storage, order) in [(storages[0], ceremonies), (storages[1], ceremonies.reversed())] {
            for ceremony in order {
              group.addTask { try await storage.spend(ceremony) ? 1 : 0 }
            }
          }
          return try await group.reduce(0, +)
        }
        #expect(taken == ceremonies.count)
      }
      let waits = try await PostgreSQLServer.run(
        "SELECT deadlocks::bigint FROM pg_stat_database WHERE datname = current_database()")
      #expect(waits == before)
      await close(storages[1])
    }

    private func close(_ storage: PostgreSQLStorage) async {
      await storage.close()
      await direct.close()
      proxy.close()
    }
  }
}
