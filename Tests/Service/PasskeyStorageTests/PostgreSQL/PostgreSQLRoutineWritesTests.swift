// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Writes that no sign-in waits for.
  @Suite(.tags(.alone)) struct RoutineWritesTests {
    private let configuration: PostgreSQLConfiguration
    private let storages: [PostgreSQLStorage]
    private let erp = DestinationName(rawValue: "erp")

    init() async throws {
      var configuration = try PostgreSQLServer.configuration()
      // A slow machine must not end the waits.
      configuration.statementTimeout = .seconds(HangGuard.seconds)
      self.configuration = configuration
      storages = [try await .open(configuration), try await .open(configuration)]
    }

    private func close() async {
      for storage in storages { await storage.close() }
    }

    /// Makes the store keep a log: transactions of a chain wait for each other at its end.
    private func keepLog() async throws {
      try await PostgreSQLServer.run(
        "INSERT INTO \(configuration.schema).audit_logs (epoch, origin, verifier, after) VALUES (1, 'o', 'v', 0)")
      // Each server finds it.
      for storage in storages { try await storage.append([Sample.draft()]) }
    }

    private func notice(of account: UserHandle?) throws -> Notice {
      Notice(
        id: try Sample.identifier(), event: NoticeEvent(rawValue: "order.filled"), account: account, time: Sample.start,
        data: Array("{}".utf8))
    }

    private func claim(_ destination: DestinationName) -> OutboxClaim {
      OutboxClaim(
        destination, by: DelivererID(unchecked: [UInt8](repeating: 1, count: 8)), limit: 9, at: Sample.start,
        until: Sample.time(30))
    }

    @Test(arguments: [true, false])
    func `routine writes do not wait for a sign-in of another server`(keepsLog: Bool) async throws {
      if keepsLog { try await keepLog() }
      let person = try SampleUser()
      try await person.register(with: storages[0])
      #expect(try await storages[0].signIn(person.signIn()) == .opened)
      let signingIn = try await OwnConnection.open()
      try await signingIn.run(
        """
        BEGIN; SELECT pg_advisory_xact_lock_shared(1347110233, '\(configuration.schema).accounts'::regclass::oid::int)
        """)
      let (storage, user, id) = (storages[1], person.account.handle, person.passkey.record.id)
      try await storage.check()
      let notice = try notice(of: user)
      try await storage.enqueue([RoutedNotice(notice, to: [erp])])
      let items = try await storage.claim(claim(erp))
      #expect(items.map(\.notice) == [notice])
      try await storage.settle(#require(items.first), .delivered, at: Sample.start)
      let count = try await storage.announceExpiring(
        until: Sample.time(100_000), at: Sample.start, to: [erp], limit: 9)
      #expect(count == 1)
      #expect(try await storage.rename(id, of: user, to: CredentialName("Phone"), audit: [person.draft()]))
      #expect(try await storage.disable(id, of: user, cloneSignal: nil, audit: [person.draft()]))
      #expect(try await storage.revokeAll(of: user, keeping: nil, by: nil, audit: [person.draft()]) == 0)
      let outcome = try await storage.delete(
        id, of: user, keeping: nil, allowingLast: true, spending: nil, audit: [person.draft()])
      #expect(outcome == .deleted)
      try await signingIn.run("COMMIT")
      await close()
    }

    @Test func `checks of two servers do not wait for each other, and share their rows afterwards`() async throws {
      let checking = try await OwnConnection.open()
      let table = "\(configuration.schema).write_check"
      for _ in 0..<3 {
        try await checking.run("BEGIN; UPDATE \(table) SET count = count + 1 WHERE id = 1")
        for storage in storages { try await storage.check() }
        try await checking.run("COMMIT")
        #expect(try await PostgreSQLServer.run("SELECT count(*) FROM \(table)").first?.integer(0) == 2)
      }
      await close()
    }

    @Test func `claims of two servers wait for each other, and neither sign-ins nor other destinations wait`()
      async throws
    {
      try await keepLog()
      let person = try SampleUser()
      try await person.register(with: storages[0])
      let other = DestinationName(rawValue: "other")
      try await storages[0].enqueue([RoutedNotice(notice(of: nil), to: [erp, other])])
      // Another program has locked the row, so the first claim waits, and has the lock of the destination.
      let holding = try await OwnConnection.open()
      try await holding.run(
        "BEGIN; SELECT 1 FROM \(configuration.schema).outbox WHERE destination = convert_to('erp', 'UTF8') FOR UPDATE")
      let watching = try await OwnConnection.open()
      func waits(for kind: String) async throws -> Bool {
        try await HangGuard.waits { () async throws -> Bool in
          try await watching.run("SELECT count(*) FROM pg_locks WHERE locktype = '\(kind)' AND NOT granted") == "1"
        }
      }
      async let first = storages[0].claim(claim(erp))
      #expect(try await waits(for: "transactionid"))
      async let second = storages[1].claim(claim(erp))
      #expect(try await waits(for: "advisory"))
      let third = try await PostgreSQLStorage.open(configuration)
      #expect(try await third.claim(claim(other)).count == 1)
      await third.close()
      for storage in storages { #expect(try await storage.signIn(person.signIn()) == .opened) }
      try await holding.run("COMMIT")
      #expect(try await first.count == 1)
      #expect(try await second.isEmpty)
      await close()
    }
  }
}
