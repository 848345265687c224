// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  @Suite struct StorageTests {
    /// Opens two storages, as two servers do, on one schema.
    private func twoStorages() async throws -> [PostgreSQLStorage] {
      let configuration = try PostgreSQLServer.configuration()
      return [try await .open(configuration), try await .open(configuration)]
    }

    @Test(arguments: StorageContract.cases)
    func `PostgreSQL fulfills the contract`(of contract: StorageContract.Case) async throws {
      let storages = try await twoStorages()
      try await contract.run(on: storages)
      for storage in storages { await storage.close() }
    }

    @Test func `own statements commit together with a grant, records and notices`() async throws {
      let storage = try await PostgreSQLStorage.open(
        PostgreSQLServer.configuration(), embedded: TransactionChecks.postgreSQLTables)
      try await TransactionChecks.commitTogether(storage)
      try await TransactionChecks.answerOnce(storage)
      await storage.close()
    }

    @Test func `a broken deferred foreign key fails alone among concurrent writes`() async throws {
      let storage = try await PostgreSQLStorage.open(
        PostgreSQLServer.configuration(),
        embedded: EmbeddedTables(creation: [
          "CREATE TABLE orders (person bytea REFERENCES accounts (handle) DEFERRABLE INITIALLY DEFERRED)"
        ]))
      try await TransactionChecks.deferredKeyFailsAlone(storage, "INSERT INTO orders (person) VALUES ($1)")
      await storage.close()
    }

    @Test func `the schema can stand in the URL`() async throws {
      let name = try PostgreSQLServer.freshName()
      let storage = try await PostgreSQLStorage.open(
        PostgreSQLConfiguration(url: try #require(PostgreSQLServer.url) + "?schema=\(name)&application_name=shop"))
      await storage.close()
      let rows = try await PostgreSQLServer.run("SELECT version FROM \(name).passkey_schema")
      #expect(rows == [SQLRow(values: [.integer(Schema.current.version)])])
    }

    @Test func `of 200 responses to a challenge on two servers one signs in`() async throws {
      let storages = try await twoStorages()
      try await DatabaseChecks.finishOnce(storages, count: 200, ceremonies: 5)
      for storage in storages { await storage.close() }
    }

    @Test func `of 200 concurrent actions on two servers one spends the grant`() async throws {
      let storages = try await twoStorages()
      try await DatabaseChecks.spendOnce(storages, count: 200)
      for storage in storages { await storage.close() }
    }

    @Test func `concurrent writes on two servers have one record each`() async throws {
      let storages = try await twoStorages()
      try await DatabaseChecks.trailStaysWhole(storages, writers: 16, rounds: 20)
      for storage in storages { await storage.close() }
    }

    @Test func `a failed write does not affect its batch`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await DatabaseChecks.failuresAreAlone(storage)
      await storage.close()
    }

    @Test func `looking up an unknown account does the same work`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await SentinelChecks.unknownAddressCostsTheSame(storage)
      await storage.close()
    }

    @Test(arguments: ForgedLog.allCases)
    func `a forged log is detected, and a removed one is not replaced`(_ forgery: ForgedLog) async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await forgery.check(storage)
      await storage.close()
    }

    @Test(arguments: TrailManipulation.all)
    func `verification detects a changed trail`(_ manipulation: TrailManipulation) async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await manipulation.check(storage)
      await storage.close()
    }

    @Test func `a record whose transaction commits late gets a later place`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      let world = try LogWorld(storage)
      try await world.begin()
      let late = try Sample.draft().logged().record
      let drawn = try await storage.database.write(.serial) { (transaction) throws(StorageError) in
        try transaction.row(SQLStatement("SELECT nextval('audit_sequence')"))?.integer(0) ?? 0
      }
      try await storage.append([Sample.draft()])
      try await world.sequence()
      try await storage.database.write(.serial) { (transaction) throws(StorageError) in
        try transaction.run([
          SQLStatement(
            "INSERT INTO audit (sequence, record, person) VALUES ($1, $2, $3)",
            [.integer(drawn), .bytes(late.encoded[...]), .opaque(late.indexKeys.person)]),
          SQLStatement("INSERT INTO audit_queue (sequence) VALUES ($1)", [.integer(drawn)]),
        ])
      }
      #expect(try await world.service.verifyAuditTrail().waitingCount == 1)
      try await world.sequence()
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 3)
      #expect(try await world.service.auditPlace(of: drawn)?.position == 2)
      #expect(try await world.proof(of: drawn).entry == late.encoded[...])
      await storage.close()
    }

    @Test func `the kept checkpoint reveals an older copy of the log`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await OlderLogChecks.rollbackIsFound(storage)
      await storage.close()
    }

    @Test func `the kept checkpoint reveals a fork of the log`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await OlderLogChecks.forkIsFound(storage)
      await storage.close()
    }

    @Test func `the records of an earlier epoch cannot be removed`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await OlderLogChecks.earlierEpochIsBound(storage)
      await storage.close()
    }

    @Test func `the kept checkpoint of a later epoch reveals an older copy`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      try await OlderLogChecks.earlierEpochIsFound(storage)
      await storage.close()
    }

    @Test func `values survive a round trip`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let values: [SQLValue] = [
        .null, .integer(0), .integer(-1), .integer(.min), .integer(.max), .text(""), .text("Ключ 🔑"), .bytes([]),
        .bytes([0, 1, 0xff, 0]),
      ]
      let rows = try await WorkerThread.run { () throws(StorageError) in
        do throws(PostgreSQLFailure) {
          return try PostgreSQLConnection(configuration).rows(
            """
            SELECT $1::bytea, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::text, $7::text, $8::bytea, $9::bytea
            """, values)
        } catch {
          throw error.error
        }
      }
      #expect(rows == [SQLRow(values: values)])
    }

    @Test func `data persist for the next server`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let person = try SampleUser()
      let storage = try await PostgreSQLStorage.open(configuration)
      try await person.register(with: storage)
      let signIn = try person.signIn()
      #expect(try await storage.signIn(signIn) == .opened)
      let count = try await storage.recordCount
      await storage.close()
      await expectCode(.unavailable) { try await storage.database.check() }

      let again = try await PostgreSQLStorage.open(configuration)
      #expect(try await again.account(person.account.names.primary) == person.account)
      #expect(try await again.session(token: signIn.opening.token)?.session == signIn.opening.session)
      #expect(try await again.recordCount == count)
      await again.close()
    }

    @Test func `servers that start together create one schema`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for _ in 0..<8 {
          group.addTask {
            let storage = try await PostgreSQLStorage.open(configuration)
            try await storage.database.check()
            await storage.close()
          }
        }
        try await group.waitForAll()
      }
      let rows = try await PostgreSQLServer.run("SELECT version FROM \(configuration.schema).passkey_schema")
      #expect(rows == [SQLRow(values: [.integer(Schema.current.version)])])
    }

    @Test func `a schema that cannot be created leaves nothing behind`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let broken = Schema(version: 1, statements: ["CREATE TABLE things (thing INTEGER)", "nonsense"], rows: [])
      await expectCode(.migrationFailed) {
        _ = try await WorkerThread.run { () throws(StorageError) in
          try PostgreSQLDatabase(configuration, schema: broken)
        }
      }
      await (try PostgreSQLStorage.open(configuration)).close()
    }

    @Test func `a foreign schema and one of another version are refused`() async throws {
      let foreign = try PostgreSQLServer.configuration()
      try await PostgreSQLServer.run("CREATE SCHEMA \(foreign.schema)")
      try await PostgreSQLServer.run("CREATE TABLE \(foreign.schema).things (thing bigint)")
      await expectCode(.foreign) { _ = try await PostgreSQLStorage.open(foreign) }

      let other = try PostgreSQLServer.configuration()
      await (try PostgreSQLStorage.open(other)).close()
      for (version, code) in [(1, StorageError.Code.schemaNewer), (-1, .schemaOlder)] {
        try await PostgreSQLServer.run(
          "UPDATE \(other.schema).passkey_schema SET version = \(Schema.current.version + Int64(version))")
        await expectCode(code) { _ = try await PostgreSQLStorage.open(other) }
      }
    }

    @Test func `an unreachable server is reported without the password`() async throws {
      var configuration = try PostgreSQLServer.configuration(reconnectTimeout: .milliseconds(300))
      configuration.url = "postgres://passkey:secret@127.0.0.1:1/postgres"
      let error = await #expect(throws: StorageError.self) { _ = try await PostgreSQLStorage.open(configuration) }
      #expect(error?.code == .unavailable && error?.detail.contains("secret") == false)
    }
  }
}
