// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import TestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Transactions of two servers at the same time, with a chain and with a log.
  @Suite struct LocksTests {
    private let configuration: PostgreSQLConfiguration
    private let storages: [PostgreSQLStorage]

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

    /// Registers a person. With `keepsLog`, both servers have found the store to keep a log.
    private func person(keepsLog: Bool) async throws -> SampleUser {
      if keepsLog {
        try await PostgreSQLServer.run(
          "INSERT INTO \(configuration.schema).audit_logs (epoch, origin, verifier, after) VALUES (1, 'o', 'v', 0)")
      }
      let person = try SampleUser()
      try await person.register(with: storages[0])
      try await storages[1].append([person.draft()])
      for storage in storages { #expect(storage.database.supportsGatedChanges == keepsLog) }
      return person
    }

    private func count(_ table: String) async throws -> Int64? {
      try await PostgreSQLServer.run("SELECT count(*) FROM \(configuration.schema).\(table)").first?.integer(0)
    }

    /// A connection that holds the lock of the store.
    private func holding(_ function: String) async throws -> OwnConnection {
      let connection = try await OwnConnection.open()
      try await connection.run(
        "BEGIN; SELECT \(function)(1347110233, '\(configuration.schema).accounts'::regclass::oid::int)")
      return connection
    }

    /// Waits until this many transactions of the tests wait for an advisory lock.
    private func waits(for count: Int) async throws -> Bool {
      let watching = try await OwnConnection.open()
      return try await HangGuard.waits { () async throws -> Bool in
        try await watching.run("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
          == "\(count)"
      }
    }

    @Test(arguments: [true, false])
    func `a sign-in that waits for an erasure is refused`(keepsLog: Bool) async throws {
      let person = try await person(keepsLog: keepsLog)
      let erasing = try await holding("pg_advisory_xact_lock")
      let signIn = try person.signIn()
      async let outcome = storages[0].signIn(signIn)
      #expect(try await waits(for: 1))
      try await erasing.run(
        "DELETE FROM \(configuration.schema).passkeys; DELETE FROM \(configuration.schema).accounts; COMMIT")
      #expect(try await outcome == .credentialChanged)
      #expect(try await count("sessions") == 0)
      await close()
    }

    @Test(arguments: [true, false])
    func `a sign-in that waits for a change of state is refused`(keepsLog: Bool) async throws {
      let person = try await person(keepsLog: keepsLog)
      let records = try await count("audit")
      let changing = try await holding("pg_advisory_xact_lock")
      let signIn = try person.signIn()
      async let outcome = storages[0].signIn(signIn)
      #expect(try await waits(for: 1))
      try await changing.run("UPDATE \(configuration.schema).accounts SET state = 'disabled'; COMMIT")
      #expect(try await outcome == .accountRefused)
      #expect(try await count("sessions") == 0)
      #expect(try await count("audit") == records)
      await close()
    }

    @Test(arguments: [true, false])
    func `an erasure waits for a sign-in, and later sign-ins wait for the erasure`(keepsLog: Bool) async throws {
      let person = try await person(keepsLog: keepsLog)
      let signingIn = try await holding("pg_advisory_xact_lock_shared")
      async let erased = storages[0].erase(person.account.handle, spending: nil, audit: [])
      #expect(try await waits(for: 1))
      let signIn = try person.signIn()
      async let outcome = storages[1].signIn(signIn)
      #expect(try await waits(for: 2))
      try await signingIn.run("COMMIT")
      #expect(try await erased == .erased)
      #expect(try await outcome == .credentialChanged)
      #expect(try await count("sessions") == 0)
      #expect(try await count("personal_details") == 0)
      await close()
    }

    @Test(arguments: [true, false])
    func `sign-ins during an erasure leave nothing of the account`(keepsLog: Bool) async throws {
      _ = try await person(keepsLog: keepsLog)
      for _ in 0..<10 {
        let person = try SampleUser()
        try await person.register(with: storages[0])
        try await withThrowingTaskGroup(of: Void.self) { (group) in
          for number in 0..<6 {
            group.addTask { [storages] in _ = try await storages[number % 2].signIn(person.signIn()) }
          }
          group.addTask { [storages] in
            let outcome = try await storages[1].erase(person.account.handle, spending: nil, audit: [])
            #expect(outcome == .erased)
          }
          try await group.waitForAll()
        }
        #expect(try await storages[0].account(person.account.handle) == nil)
        #expect(try await count("sessions") == 0)
      }
      await close()
    }

    @Test(arguments: [true, false])
    func `batches of two servers do not deadlock`(keepsLog: Bool) async throws {
      _ = try await person(keepsLog: keepsLog)
      let deadlocks = "SELECT deadlocks::bigint FROM pg_stat_database WHERE datname = current_database()"
      let before = try await PostgreSQLServer.run(deadlocks)
      var people: [SampleUser] = []
      for _ in 0..<12 {
        let person = try SampleUser()
        try await person.register(with: storages[0])
        people.append(person)
      }
      let opened = try await withThrowingTaskGroup(of: Bool.self) { (group) in
        for (storage, order) in [(storages[0], people), (storages[1], people.reversed())] {
          for _ in 0..<8 {
            for person in order { group.addTask { try await storage.signIn(person.signIn()) == .opened } }
            group.addTask {
              try await storage.check()
              return true
            }
          }
        }
        return try await group.reduce(into: 0) { (count, isOpened) in count += isOpened ? 1 : 0 }
      }
      #expect(opened == 2 * 8 * (people.count + 1))
      #expect(try await count("sessions") == Int64(2 * 8 * people.count))
      #expect(try await PostgreSQLServer.run(deadlocks) == before)
      await close()
    }

    @Test func `records of one account are numbered in the order of their commits`() async throws {
      let person = try await person(keepsLog: true)
      let people = [person, try SampleUser()]
      try await people[1].register(with: storages[0])
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for number in 0..<64 {
          group.addTask { [storages] in _ = try await storages[number % 2].signIn(people[number / 2 % 2].signIn()) }
        }
        try await group.waitForAll()
      }
      // A transaction's ID is drawn after its locks, by its first change.
      let exchanged = try await PostgreSQLServer.run(
        """
        SELECT count(*) FROM (
          SELECT xmin::text::bigint < lag(xmin::text::bigint) OVER (PARTITION BY person ORDER BY sequence) AS isEarlier
          FROM \(configuration.schema).audit) AS records WHERE isEarlier
        """)
      #expect(exchanged == [SQLRow(values: [.integer(0)])])
      #expect(try await count("audit_queue") == count("audit"))
      await close()
    }

    @Test func `a sign-in to a log ends the oldest sessions above the maximum`() async throws {
      let person = try await person(keepsLog: true)
      let records = try #require(await count("audit"))
      var opened: [TokenDigest] = []
      for _ in 0..<4 {
        var signIn = try person.signIn()
        signIn.opening.maximumCount = 2
        signIn.opening.auditOfEnding = try person.draft(.sessionRevoked)
        signIn.opening.refresh = RefreshToken(
          digest: try Sample.identifier(), session: signIn.opening.session.id, user: person.account.handle,
          expiry: Sample.time(900))
        #expect(try await storages[0].signIn(signIn) == .opened)
        opened.append(signIn.opening.token)
      }
      for (number, token) in opened.enumerated() {
        #expect(try await (storages[1].session(token: token) != nil) == (number >= 2))
      }
      #expect(try await count("refresh_tokens") == 2)
      #expect(try await count("audit") == records + 6)
      await close()
    }
  }
}
