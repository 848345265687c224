// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
@testable import PasskeyService
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// Transactions of two servers at the same time.
  @Suite(.tags(.alone)) struct LocksTests {
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

    /// Registers a person.
    private func person() async throws -> SampleUser {
      let person = try SampleUser()
      try await person.register(with: storages[0])
      try await storages[1].append([person.draft()])
      return person
    }

    private func count(_ table: String) async throws -> Int64? {
      try await PostgreSQLServer.run("SELECT count(*) FROM \(configuration.schema).\(table)").first?.integer(0)
    }

    /// A connection that holds the lock of the store, or of passes of the sequencer.
    private func holding(_ function: String, table: String = "accounts") async throws -> OwnConnection {
      let connection = try await OwnConnection.open()
      try await connection.run(
        "BEGIN; SELECT \(function)(1347110233, '\(configuration.schema).\(table)'::regclass::oid::int)")
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

    @Test func `a sign-in that waits for an erasure is refused`() async throws {
      let person = try await person()
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

    @Test func `a sign-in that waits for a change of state is refused`() async throws {
      let person = try await person()
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

    @Test func `an erasure waits for a sign-in, and later sign-ins wait for the erasure`() async throws {
      let person = try await person()
      let signingIn = try await holding("pg_advisory_xact_lock_shared")
      async let erased = storages[0].erase(person.account.handle, spending: nil, audit: [])
      #expect(try await waits(for: 1))
      let signIn = try person.signIn()
      async let outcome = storages[1].signIn(signIn)
      #expect(try await waits(for: 2))
      try await signingIn.run("COMMIT")
      #expect(try await erased.refusal == nil)
      #expect(try await outcome == .credentialChanged)
      #expect(try await count("sessions") == 0)
      #expect(try await count("personal_details") == 0)
      await close()
    }

    @Test func `sign-ins during an erasure leave nothing of the account`() async throws {
      _ = try await person()
      for _ in 0..<10 {
        let person = try SampleUser()
        try await person.register(with: storages[0])
        try await withThrowingTaskGroup(of: Void.self) { (group) in
          for number in 0..<6 {
            group.addTask { [storages] in _ = try await storages[number % 2].signIn(person.signIn()) }
          }
          group.addTask { [storages] in
            let outcome = try await storages[1].erase(person.account.handle, spending: nil, audit: [])
            #expect(outcome.refusal == nil)
          }
          try await group.waitForAll()
        }
        #expect(try await storages[0].account(person.account.handle) == nil)
        #expect(try await count("sessions") == 0)
      }
      await close()
    }

    @Test func `batches of two servers do not deadlock`() async throws {
      _ = try await person()
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
              try await storage.database.check()
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
      let person = try await person()
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

    /// Begins a log with the record of a registered person.
    private func log() async throws -> (LogWorld, SampleUser) {
      let world = try LogWorld(storages[0])
      try await world.begin()
      let person = try SampleUser()
      try await person.register(with: storages[0])
      return (world, person)
    }

    /// Waits until a transaction waits for a lock of a table.
    private func waits(forTable table: String) async throws -> Bool {
      let watching = try await OwnConnection.open()
      return try await HangGuard.waits { () async throws -> Bool in
        try await watching.run(
          "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\(configuration.schema).\(table)'::regclass")
          == "1"
      }
    }

    @Test func `sign-ins and registrations commit while the transaction of a pass is open`() async throws {
      let (world, person) = try await log()
      let holding = try await OwnConnection.open()
      // The pass has given places and written tiles when it waits for this table.
      try await holding.run("BEGIN; LOCK TABLE \(configuration.schema).audit_checkpoints IN SHARE MODE")
      async let pass = AuditSequencer(storages[0], key: world.key).sequence(at: Sample.start)
      #expect(try await waits(forTable: "audit_checkpoints"))
      for storage in storages {
        #expect(try await storage.signIn(person.signIn()) == .opened)
        try await SampleUser().register(with: storage)
      }
      #expect(try await AuditSequencer(storages[1], key: world.key).sequence(at: Sample.start) == nil)
      try await holding.run("COMMIT")
      #expect(try await pass?.count == 1)
      try await world.sequence()
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 6)
      let numbers = try await storages[0].auditEntries(after: 0, of: nil, limit: 99).map(\.record.sequence)
      for (index, number) in numbers.enumerated() {
        #expect(try await world.service.auditPlace(of: number)?.position == UInt64(index))
      }
      await close()
    }

    @Test func `the appending of records locks the accounts that they are filed under`() throws {
      let (ada, ben) = (try SampleUser(), try SampleUser())
      var draft = try Sample.draft(of: ada.account.handle, by: ben.account.handle)
      #expect(WriteOrder.recording([draft]).objects == [.account(ada.account.handle), .account(ben.account.handle)])
      let order = WriteOrder.account(ada.account.handle, recording: [try Sample.draft(of: ben.account.handle)])
      #expect(order.objects == [.account(ada.account.handle), .account(ben.account.handle)])
      draft = try Sample.draft()
      #expect(WriteOrder.recording([draft]).objects == [])
    }

    @Test func `records of an account keep their order while passes run beside their commits`() async throws {
      let (world, person) = try await log()
      var people = [person]
      for _ in 0..<3 {
        let person = try SampleUser()
        try await person.register(with: storages[1])
        people.append(person)
      }
      let finished = Locked(0)
      try await withThrowingTaskGroup(of: Void.self) { (group) in
        for task in 0..<16 {
          group.addTask { [storages, people] in
            defer { finished.withLock { (count) in count += 1 } }
            let (storage, person) = (storages[task % 2], people[task / 2 % 4])
            for step in 0..<16 {
              if step % 2 == 0 {
                #expect(try await storage.signIn(person.signIn()) == .opened)
              } else {
                var draft = try person.draft()
                draft.personalDetails = []
                if step % 4 == 3 { draft.actor = people[step / 4].account.handle }
                try await storage.append([draft])
              }
            }
          }
        }
        for storage in storages {
          let sequencer = AuditSequencer(storage, key: world.key)
          group.addTask {
            while !Task.isCancelled, finished.withLock({ (count) in count < 16 }) {
              _ = try await sequencer.sequence(at: Sample.start)
            }
          }
        }
        try await group.waitForAll()
      }
      try await world.sequence()
      // The first record of the log, four registrations, and the records of the tasks.
      #expect(try await world.verifyAll().checkpoint?.checkpoint.size == 1 + 4 + 16 * 16)
      let exchanged = try await PostgreSQLServer.run(
        """
        SELECT count(*) FROM (
          SELECT position < lag(position) OVER (PARTITION BY account ORDER BY sequence) AS isEarlier
          FROM \(configuration.schema).audit JOIN \(configuration.schema).audit_positions USING (sequence),
          unnest(ARRAY[person, other]) AS account WHERE account IS NOT NULL) AS places
        WHERE isEarlier
        """)
      #expect(exchanged == [SQLRow(values: [.integer(0)])])
      await close()
    }

    @Test(arguments: ["pg_advisory_xact_lock", "pg_advisory_xact_lock_shared"])
    func `a pass does not wait for writes that hold the lock of the store`(function: String) async throws {
      let (world, _) = try await log()
      let writing = try await holding(function)
      #expect(try await AuditSequencer(storages[1], key: world.key).sequence(at: Sample.start)?.count == 1)
      try await writing.run("COMMIT")
      try await world.verifyAll()
      await close()
    }

    @Test func `the beginning of an epoch waits for a pass, and sign-ins wait for neither`() async throws {
      let (world, person) = try await log()
      let passing = try await holding("pg_advisory_xact_lock", table: "audit")
      #expect(try await AuditSequencer(storages[1], key: world.key).sequence(at: Sample.start) == nil)
      let later = try LogWorld(storages[0], secret: LogWorld.otherSecret)
      async let log = later.begin()
      #expect(try await waits(for: 1))
      #expect(try await storages[1].signIn(person.signIn()) == .opened)
      try await passing.run("COMMIT")
      #expect(try await log.epoch == 2)
      try await later.sequence()
      #expect(try await later.verifyAll().checkpoint?.checkpoint.size == 3)
      await close()
    }

    @Test func `a cosignature and a contradiction wait for a pass of another server, and are stored`() async throws {
      let (world, _) = try await log()
      let note = try await world.grow(by: 2)
      let witness = try AskedWitness(of: try #require(try await world.service.auditLog()).log)
      let cosigner = AuditCosigner(storages[1], witness: witness.key)
      var passing = try await holding("pg_advisory_xact_lock", table: "audit")
      async let cosigned = cosigner.cosign(note, by: witness.ask)
      #expect(try await waits(for: 1))
      try await passing.run("COMMIT")
      #expect(try await cosigned == .cosigned)
      witness.answers(.answered(status: 422, mediaType: nil, body: []))
      passing = try await holding("pg_advisory_xact_lock", table: "audit")
      async let contradicted = cosigner.cosign(note, asksAgain: true, by: witness.ask)
      #expect(try await waits(for: 1))
      try await passing.run("COMMIT")
      let size = witness.size
      #expect(try await contradicted == .contradicted(reason: "it has cosigned another log of \(size) records"))
      await expectServiceCode(.auditRolledBack) { try await world.sequence() }
      await close()
    }

    @Test func `no pass runs while an epoch begins`() async throws {
      let (world, _) = try await log()
      let signingIn = try await holding("pg_advisory_xact_lock_shared")
      let later = try LogWorld(storages[0], secret: LogWorld.otherSecret)
      async let log = later.begin()
      #expect(try await waits(for: 1))
      #expect(try await AuditSequencer(storages[1], key: world.key).sequence(at: Sample.start) == nil)
      try await signingIn.run("COMMIT")
      #expect(try await log.epoch == 2)
      await expectServiceCode(.auditKeyMismatch) {
        _ = try await AuditSequencer(storages[1], key: world.key).sequence(at: Sample.start)
      }
      try await later.sequence()
      #expect(try await later.verifyAll().checkpoint?.checkpoint.size == 2)
      await close()
    }

    @Test func `a sign-in ends the oldest sessions above the maximum`() async throws {
      let person = try await person()
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

extension WriteOrder {
  /// The objects of work on objects.
  fileprivate var objects: Set<LockedObject>? {
    if case .objects(let objects) = self { objects } else { nil }
  }
}
