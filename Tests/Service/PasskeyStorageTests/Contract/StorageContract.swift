// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import Testing

/// The contract of every store, as test cases. The tests of each store run them against an empty store.
///
///     @Test(arguments: StorageContract.cases)
///     func `a file fulfills the contract`(of contract: StorageContract.Case) async throws {
///       try await contract.run(on: [SQLiteStorage.temporary()])
///     }
enum StorageContract {
  /// A single requirement of the contract.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    fileprivate let body: @Sendable (StoreUnderTest) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
      self.name = name
      self.body = body
    }

    var testDescription: String { name }

    /// Runs the case against an empty store. With several connections, such as several servers on one database, concurrent
    /// operations are spread over them.
    func run(on connections: [DatabaseStorage]) async throws {
      try await body(StoreUnderTest(connections: connections))
    }
  }

  static let cases =
    accounts + registrations + codes + devices + names + emails + emailEffects + outbox + races + ceremonies + erasure
    + credentials + signIns + sessions + renewals + stepUps + trail + sweeping
    + refusals + identity + preferences + reverifications + pendingSessions + knownClients + auditLog + checkpoints
    + checkpointSweeping
}

/// An empty store, reached through one or several connections.
struct StoreUnderTest: Sendable {
  let connections: [DatabaseStorage]

  /// The first connection.
  var storage: DatabaseStorage { connections[0] }

  /// Runs an operation many times concurrently, through all connections in turn, and returns the outcomes.
  func inParallel<Outcome: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (DatabaseStorage, Int) async throws -> Outcome
  ) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for number in 0..<count {
        let connection = connections[number % connections.count]
        group.addTask { try await body(connection, number) }
      }
      var outcomes: [Outcome] = []
      for try await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
  }
}

extension DatabaseStorage {
  /// Returns all credentials of an account that may sign in.
  func candidate(_ name: AccountName) async throws(StorageError) -> SignInCandidate? {
    try await candidate(name, limit: .max, standInCount: 1)
  }
}
