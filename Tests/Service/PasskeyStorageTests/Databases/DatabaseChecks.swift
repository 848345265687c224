// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

/// Checks of both databases, beyond the contract of all stores.
enum DatabaseChecks {
  /// Signs in with one ceremony `count` times concurrently through all `storages`, with two accounts' passkeys, and checks
  /// that exactly one succeeds. Does so for several ceremonies at once.
  static func finishOnce(_ storages: [DatabaseStorage], count: Int, ceremonies: Int) async throws {
    let people = try [SampleUser(), SampleUser()]
    for person in people { try await person.register(with: storages[0]) }
    for _ in 0..<ceremonies {
      let ceremony = try Sample.ceremony()
      let outcomes = try await withThrowingTaskGroup(of: SignInOutcome.self) { (group) in
        for index in 0..<count {
          let storage = storages[index % storages.count]
          var commit = try people[index / storages.count % people.count].signIn()
          commit.ceremony = ceremony
          group.addTask { [commit] in try await storage.signIn(commit) }
        }
        return try await group.reduce(into: []) { (all, outcome) in all.append(outcome) }
      }
      #expect(outcomes.filter { $0 == .opened }.count == 1)
      #expect(outcomes.filter { $0 == .ceremonySpent }.count == count - 1)
      var sessionCount = 0
      for person in people {
        sessionCount += try await storages[0].revokeAll(of: person.account.handle, keeping: nil, audit: []) ?? 0
      }
      #expect(sessionCount == 1)
    }
  }

  /// Presents one grant in `count` concurrent acts through all `storages` and checks that exactly one succeeds.
  static func spendOnce(_ storages: [DatabaseStorage], count attempts: Int) async throws {
    let person = try SampleUser()
    try await person.register(with: storages[0])
    let signIn = try person.signIn()
    #expect(try await storages[0].signIn(signIn) == .opened)
    let grant = StepUpGrant(
      digest: try Sample.identifier(), user: person.account.handle, session: signIn.opening.session.id,
      actionDigest: try Sample.bytes(32), expiry: Sample.start)
    let confirmed = try await storages[0].confirm(
      StepUpCommit(use: signIn.use, grant: grant, audit: [person.draft(.stepUpConfirmed)]))
    #expect(confirmed == .granted)
    let spending = GrantSpending(
      digest: grant.digest, user: grant.user, session: grant.session, actionDigest: grant.actionDigest,
      time: Sample.start)
    let count = try await storages[0].recordCount
    let draft = try person.draft(.stepUpSpent)
    let spent = try await withThrowingTaskGroup(of: Bool.self) { (group) in
      for index in 0..<attempts {
        let storage = storages[index % storages.count]
        group.addTask { try await storage.spend(spending, audit: [draft]) }
      }
      var spent = 0
      for try await one in group where one { spent += 1 }
      return spent
    }
    #expect(spent == 1)
    #expect(try await storages[0].recordCount == count + 1)
  }

  /// Writes for many users concurrently through several servers and checks that each write has one record.
  static func trailStaysWhole(_ storages: [DatabaseStorage], writers: Int, rounds: Int) async throws {
    let start = try await storages[0].recordCount
    try await withThrowingTaskGroup(of: Void.self) { (group) in
      for index in 0..<writers {
        let storage = storages[index % storages.count]
        group.addTask {
          let person = try SampleUser()
          try await person.register(with: storage)
          for _ in 0..<rounds {
            let commit = try person.signIn()
            #expect(try await storage.signIn(commit) == .opened)
            let found = try await storage.session(token: commit.opening.token)
            #expect(found?.session == commit.opening.session && found?.account == person.account)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await storages[0].recordCount == start + Int64(writers * (rounds + 1)))
    _ = try await verifiedRequests(storages[0])
  }

  /// Verifies the whole trail, and begins a log in a store without one. Returns the request IDs of the other records.
  static func verifiedRequests(_ storage: DatabaseStorage) async throws -> [String] {
    let entries = try await storage.auditEntries(after: 0, of: nil, limit: .max)
      .filter { (entry) in entry.record.event != .auditLogBegan }
    try await LogWorld(storage).verifyAfterSequencing()
    return entries.map(\.record.requestID)
  }

  /// Checks that a failing operation does not affect the others that share its commit.
  static func failuresAreAlone(_ storage: DatabaseStorage) async throws {
    let person = try SampleUser()
    try await person.register(with: storage)
    var commits = try (0..<100).map { (_) in try person.signIn() }
    #expect(try await storage.signIn(commits[50]) == .opened)
    for index in commits.indices { commits[index].opening.maximumCount = 200 }
    let failed = await withTaskGroup(of: Int?.self) { (group) in
      for (index, commit) in commits.enumerated() {
        group.addTask {
          do throws(StorageError) {
            return try await storage.signIn(commit) == .opened ? nil : index
          } catch {
            #expect(error.code == .conflict)
            return index
          }
        }
      }
      return await group.compactMap(\.self).reduce(into: []) { (failed, index) in failed.append(index) }
    }
    #expect(failed == [50])
    for commit in commits { #expect(try await storage.session(token: commit.opening.token) != nil) }
  }
}

/// Expects `body` to fail with this code.
func expectCode(
  _ code: StorageError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
  let error = await #expect(throws: StorageError.self, sourceLocation: sourceLocation) { try await body() }
  #expect(error?.code == code, "\(error.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
}
