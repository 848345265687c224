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

    private func notice(of account: UserHandle?) throws -> Notice {
      Notice(
        id: try Sample.identifier(), event: NoticeEvent(rawValue: "order.filled"), account: account, time: Sample.start,
        data: Array("{}".utf8))
    }

    private func claim(
      _ destination: DestinationName, by owner: UInt8 = 1, limit: Int = 9, at time: Int = 0
    ) -> OutboxClaim {
      OutboxClaim(
        destination, by: DelivererID(unchecked: [UInt8](repeating: owner, count: 8)), limit: limit,
        at: Sample.time(time),
        until: Sample.time(time + 30))
    }

    /// Waits until this many transactions of the tests wait for locks of a kind.
    private func waits(for kind: String, count: Int = 1) async throws -> Bool {
      let watching = try await OwnConnection.open()
      return try await HangGuard.waits { () async throws -> Bool in
        try await watching.run("SELECT count(*) FROM pg_locks WHERE locktype = '\(kind)' AND NOT granted") == "\(count)"
      }
    }

    /// A connection that holds the lock of the store as a sign-in of another server does.
    private func signingIn() async throws -> OwnConnection {
      let connection = try await OwnConnection.open()
      try await connection.run(
        """
        BEGIN; SELECT pg_advisory_xact_lock_shared(1347110233, '\(configuration.schema).accounts'::regclass::oid::int)
        """)
      return connection
    }

    @Test func `routine writes do not wait for a sign-in of another server`() async throws {
      let writes = try await RoutineWrites(storages[0])
      let signingIn = try await signingIn()
      try await writes.perform(on: storages[1])
      try await signingIn.run("COMMIT")
      await close()
    }

    @Test func `only rare writes lock the store`() throws {
      let service = "\(projectFolder)/Sources/Service/PasskeyService"
      let verbs = try File.names(in: service).filter { !$0.contains(".") }.map { "\(service)/\($0)" }
      var found: Set<String> = []
      for folder in verbs + ["\(projectFolder)/Sources/Service/PasskeyStorage/Database"] {
        for name in try File.names(in: folder) where name.hasPrefix("DatabaseStorage") {
          var function = ""
          for line in String(decoding: try File.bytes("\(folder)/\(name)"), as: UTF8.self).split(separator: "\n") {
            if let start = line.firstRange(of: "func ")?.upperBound {
              function = String(line[start...].prefix { (character) in character.isLetter })
            }
            if line.contains(".serial") || line.contains(".beginning") { found.insert("\(name) \(function)") }
          }
        }
      }
      #expect(
        found == [
          "DatabaseStorage+Identity.swift claim", "DatabaseStorage+Accounts.swift erase",
          "DatabaseStorage+AuditLog.swift beginAuditLog", "DatabaseStorage+Outbox.swift requeue",
          "DatabaseStorage+Outbox.swift drop", "DatabaseStorage.swift createEmbeddedTables",
        ])
    }

    @Test func `statements of the embedding server exclude each other and their user, and no other sign-in`()
      async throws
    {
      let (ada, ben) = (try SampleUser(), try SampleUser())
      for person in [ada, ben] { try await person.register(with: storages[0]) }
      let own = try await OwnConnection.open()
      try await own.run("BEGIN")
      let loan = unsafe storages[0].borrow(own.pointer)
      _ = try await loan.transaction.transact(by: ada.account.handle, spending: nil, audit: []) {
        (transaction) throws(StorageError) in
        try transaction.rows("SELECT 1::bigint", [])
      }
      #expect(try await storages[1].signIn(ben.signIn()) == .opened)
      async let again = storages[1].transact(by: nil, spending: nil, audit: []) { (transaction) throws(StorageError) in
        try transaction.rows("SELECT 2::bigint", [])
      }
      async let signIn = storages[0].signIn(ada.signIn())
      #expect(try await waits(for: "advisory", count: 2))
      #expect(try await storages[1].signIn(ben.signIn()) == .opened)
      try await own.run("COMMIT")
      #expect(try await again == [[.integer(2)]])
      #expect(try await signIn == .opened)
      await close()
    }

    @Test func `records of the embedding server about another account wait for its work`() async throws {
      let (ada, ben) = (try SampleUser(), try SampleUser())
      for person in [ada, ben] { try await person.register(with: storages[0]) }
      let own = try await OwnConnection.open()
      try await own.run("BEGIN")
      let loan = unsafe storages[0].borrow(own.pointer)
      let (routed, draft) = (RoutedNotice(try notice(of: ben.account.handle), to: [erp]), try ada.draft())
      _ = try await loan.transaction.transact(by: nil, spending: nil, audit: []) { (transaction) throws(StorageError) in
        try transaction.enqueue([routed])
        try transaction.record([draft])
      }
      async let hers = storages[0].signIn(ada.signIn())
      async let his = storages[1].signIn(ben.signIn())
      #expect(try await waits(for: "advisory", count: 2))
      try await own.run("COMMIT")
      #expect(try await hers == .opened)
      #expect(try await his == .opened)
      await close()
    }

    @Test func `checks of two servers do not wait for each other, and share their rows afterwards`() async throws {
      let checking = try await OwnConnection.open()
      let table = "\(configuration.schema).write_check"
      for _ in 0..<3 {
        try await checking.run("BEGIN; UPDATE \(table) SET count = count + 1 WHERE id = 1")
        for storage in storages { try await storage.database.check() }
        try await checking.run("COMMIT")
        #expect(try await PostgreSQLServer.run("SELECT count(*) FROM \(table)").first?.integer(0) == 2)
      }
      await close()
    }

    @Test func `claims of two servers wait for each other, and neither sign-ins nor other destinations wait`()
      async throws
    {
      let person = try SampleUser()
      try await person.register(with: storages[0])
      let other = DestinationName(rawValue: "other")
      try await storages[0].enqueue([RoutedNotice(notice(of: nil), to: [erp, other])])
      // Another program has locked the row, so the first claim waits, and has the lock of the destination.
      let holding = try await OwnConnection.open()
      try await holding.run(
        "BEGIN; SELECT 1 FROM \(configuration.schema).outbox WHERE destination = convert_to('erp', 'UTF8') FOR UPDATE")
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

    @Test func `a claim whose connection is lost before its commit shares the notices with another server's`()
      async throws
    {
      let notices = try (0..<20).map { (_) in RoutedNotice(try notice(of: nil), to: [erp]) }
      try await storages[0].enqueue(notices)
      let holding = try await OwnConnection.open()
      try await holding.run("BEGIN; LOCK TABLE \(configuration.schema).outbox IN SHARE MODE")
      async let first = storages[0].claim(claim(erp))
      #expect(try await waits(for: "relation"))
      async let second = storages[1].claim(claim(erp, by: 2))
      #expect(try await waits(for: "advisory"))
      let killing = try await OwnConnection.open()
      try await killing.run(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'relation' AND NOT granted")
      try await holding.run("COMMIT")
      let claimed = try await (first, second)
      #expect(claimed.0.count <= 9 && claimed.1.count <= 9)
      #expect(Set((claimed.0 + claimed.1).map(\.notice.id)).count == 18)
      #expect(claimed.0.allSatisfy { $0.owner == claim(erp).owner })
      await close()
    }

    @Test func `a deliverer that is gone holds its notices until the claim ends, and settles nothing afterwards`()
      async throws
    {
      let account = try SampleUser().account.handle
      let notices = try (0..<2).map { (_) in RoutedNotice(try notice(of: account), to: [erp]) }
      try await storages[0].enqueue(notices)
      let lost = try #require(await storages[0].claim(claim(erp)).first)
      #expect(try await storages[1].claim(claim(erp, by: 2, at: 29)).isEmpty)
      let again = try #require(await storages[1].claim(claim(erp, by: 2, at: 30)).first)
      #expect(again.notice == lost.notice)
      try await storages[0].settle(
        lost, .retry(at: Sample.time(31), delivered: [], reason: "late"), at: Sample.time(30))
      try await storages[0].settle(lost, .dead(reason: "late"), at: Sample.time(30))
      #expect(try await storages[0].claim(claim(erp, at: 40)).isEmpty)
      try await storages[1].settle(again, .delivered, at: Sample.time(40))
      let next = try await storages[0].claim(claim(erp, at: 40))
      #expect(next.map(\.notice) == [notices[1].notice])
      // The first deliverer had sent it after all: the notice is gone, and its late result changes nothing.
      try await storages[0].settle(lost, .delivered, at: Sample.time(41))
      #expect(try await storages[1].claim(claim(erp, by: 2, at: 41)).isEmpty)
      await close()
    }

    @Test func `results of deliveries that wait share a transaction, in their order`() async throws {
      let account = try SampleUser().account.handle
      try await storages[0].enqueue(
        (0..<16).map { (number) in RoutedNotice(try notice(of: number < 2 ? account : nil), to: [erp]) })
      let claimed = try await storages[0].claim(claim(erp, limit: 99))
      #expect(claimed.count == 15)
      let first = try #require(claimed.first { $0.notice.account == account })
      let items = claimed.filter { $0.notice.account != account }
      let holding = try await OwnConnection.open()
      let table = "\(configuration.schema).outbox"
      try await holding.run("BEGIN; SELECT 1 FROM \(table) FOR UPDATE")
      async let begun: Void = storages[0].settle(items[0], .dead(reason: "410"), at: Sample.start)
      #expect(try await waits(for: "transactionid"))
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for item in items.dropFirst() {
          group.addTask { [storages] in try await storages[0].settle(item, .dead(reason: "410"), at: Sample.start) }
        }
        group.addTask { [storages] in try await storages[0].settle(first, .delivered, at: Sample.start) }
        // The others wait in the queue by then, or share a later transaction.
        try await Task.sleep(for: .milliseconds(200))
        try await holding.run("COMMIT")
        try await group.waitForAll()
      }
      try await begun
      let transactions = try await PostgreSQLServer.run(
        "SELECT count(DISTINCT xmin::text) FROM \(table) WHERE died IS NOT NULL")
      #expect(try transactions.first?.integer(0) ?? 99 < 14)
      #expect(try await storages[1].claim(claim(erp)).count == 1)
      await close()
    }
  }
}
