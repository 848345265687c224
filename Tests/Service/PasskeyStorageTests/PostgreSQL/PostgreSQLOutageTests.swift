// SPDX-License-Identifier: Apache-2.0

@testable import PasskeyPostgreSQL
import PasskeyService
import PasskeyServiceTestSupport
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

extension PostgreSQLTests {
  /// The server goes away, comes back or is replaced.
  @Suite(.tags(.kill, .alone)) struct OutageTests {
    @Test func `restarting the server under load loses nothing`() async throws {
      let storage = try await PostgreSQLStorage.open(
        PostgreSQLServer.configuration(reconnectTimeout: .milliseconds(200)))
      let person = try SampleUser()
      try await person.register(with: storage)
      let work = Locked((opened: [TokenDigest](), failures: [StorageError.Code]()))
      let writers = Task {
        await withTaskGroup { (group) in
          for _ in 0..<8 {
            group.addTask {
              while !Task.isCancelled {
                guard let signIn = try? person.signIn() else { break }
                do throws(StorageError) {
                  guard try await storage.signIn(signIn) == .opened else { continue }
                  work.withLock { $0.opened.append(signIn.opening.token) }
                } catch {
                  work.withLock { $0.failures.append(error.code) }
                }
              }
            }
          }
        }
      }
      for mode in ["fast", "immediate"] {
        let openedCount = work.withLock { $0.opened.count }
        #expect(await HangGuard.waits { () async -> Bool in work.withLock { $0.opened.count > openedCount } })
        try await PostgreSQLServer.control("stop", mode)
        let failureCount = work.withLock { $0.failures.count }
        #expect(await HangGuard.waits { () async -> Bool in work.withLock { $0.failures.count > failureCount } })
        try await PostgreSQLServer.control("start")
      }
      // Service resumes by itself.
      let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
      while (try? await person.signInAgain(storage)) == nil, ContinuousClock.now < limit {}
      try await person.signInAgain(storage)
      writers.cancel()
      await writers.value
      let (opened, codes) = work.withLock { ($0.opened, Set($0.failures)) }
      // Only the expected errors: the server is unavailable, or became unavailable during the commit.
      #expect(codes.contains(.unavailable) && codes.isSubset(of: [.unavailable, .outcomeUnknown]), "\(codes)")
      for token in opened { #expect(try await storage.session(token: token)?.account == person.account) }
      _ = try await DatabaseChecks.verifiedRequests(storage)
      await storage.close()
    }

    @Test func `connections closed by an administrator are opened again`() async throws {
      let storage = try await PostgreSQLStorage.open(PostgreSQLServer.configuration())
      let person = try SampleUser()
      try await person.register(with: storage)
      for _ in 0..<5 {
        try await PostgreSQLServer.endConnections()
        #expect(try await storage.account(person.account.handle) == person.account)
        try await person.signInAgain(storage)
        try await storage.database.check()
      }
      await storage.close()
    }

    @Test func `a server that becomes read-only is replaced by a writable one`() async throws {
      let name = try PostgreSQLServer.freshName()
      try await PostgreSQLServer.run("CREATE DATABASE \(name)")
      let url = try #require(PostgreSQLServer.url?.replacing("/postgres", with: "/\(name)"))
      let storage = try await PostgreSQLStorage.open(
        PostgreSQLServer.configuration(url: url, reconnectTimeout: .milliseconds(500)))
      let person = try SampleUser()
      try await person.register(with: storage)
      // As after a promotion elsewhere: existing and new connections become read-only.
      try await PostgreSQLServer.run("ALTER DATABASE \(name) SET default_transaction_read_only = on")
      try await PostgreSQLServer.endConnections()
      await expectCode(.unavailable) { try await person.signInAgain(storage) }
      try await PostgreSQLServer.run("ALTER DATABASE \(name) RESET default_transaction_read_only")
      let patient = ContinuousClock.now + .seconds(HangGuard.seconds)
      var opened = false
      while !opened, ContinuousClock.now < patient { opened = (try? await person.signInAgain(storage)) != nil }
      #expect(opened)
      await storage.close()
    }

    @Test func `waiting for a lock has a time limit`() async throws {
      var configuration = try PostgreSQLServer.configuration(reconnectTimeout: .seconds(1))
      configuration.statementTimeout = .milliseconds(300)
      let storage = try await PostgreSQLStorage.open(configuration)
      let person = try SampleUser()
      try await person.register(with: storage)
      // A passkey server that hangs in the middle of a transaction.
      let held = configuration
      let hanging = try await PostgreSQLServer.connection(held, running: ["BEGIN", PostgreSQLLocks.exclusive.text])
      await expectCode(.timedOut) { try await person.signInAgain(storage) }
      // Reads are not blocked.
      #expect(try await storage.account(person.account.handle) == person.account)
      // The database ends a transaction that stays idle for too long.
      let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
      while (try? await person.signInAgain(storage)) == nil, ContinuousClock.now < limit {}
      try await person.signInAgain(storage)
      withExtendedLifetime(hanging) {}
      await storage.close()
    }

    @Test func `a statement that takes too long is ended by the server`() async throws {
      var configuration = try PostgreSQLServer.configuration()
      configuration.statementTimeout = .milliseconds(100)
      let start = ContinuousClock.now
      let brief = configuration
      await expectCode(.timedOut) {
        _ = try await PostgreSQLServer.connection(brief, running: ["SELECT pg_sleep(1200)"])
      }
      #expect(ContinuousClock.now - start < .seconds(HangGuard.seconds))
    }

    @Test func `acknowledged writes survive killed writers`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let storage = try await PostgreSQLStorage.open(configuration)
      var generator = PropertyRuns.generator(run: 0)
      var acknowledged: Set<String> = []
      for _ in 0..<WritingProcess.rounds / 2 {
        // Two servers at once, killed at different moments.
        let delays = [0, 1].map { (_) in Int.random(in: 1...60_000, using: &generator) }
        try await withThrowingTaskGroup(of: [String].self) { (group) in
          for delay in delays {
            group.addTask {
              try await WritingProcess.acknowledgements(
                ["events", configuration.url, configuration.schema], killedAfter: delay)
            }
          }
          for try await events in group { acknowledged.formUnion(events) }
        }
        let kept = Set(try await DatabaseChecks.verifiedRequests(storage))
        #expect(kept.isSuperset(of: acknowledged), "\(acknowledged.subtracting(kept).count) records are lost")
      }
      #expect(acknowledged.count > WritingProcess.rounds)
      await storage.close()
    }

    @Test func `a pass of the log that a kill interrupts is repeated by another server`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      let storage = try await PostgreSQLStorage.open(configuration)
      try await InterruptedPassChecks.continuesOnAnotherServer(storage, [configuration.url, configuration.schema])
      await storage.close()
    }

    @Test func `killed servers and deliverers lose no notice`() async throws {
      let configuration = try PostgreSQLServer.configuration()
      try await KilledDelivererChecks.loseNothing([configuration.url, configuration.schema])
    }
  }
}

extension SampleUser {
  /// Signs in and requires success.
  func signInAgain(_ storage: DatabaseStorage) async throws {
    let commit = try signIn()
    guard try await storage.signIn(commit) == .opened else { throw StorageError(.failed, "not signed in") }
  }
}
