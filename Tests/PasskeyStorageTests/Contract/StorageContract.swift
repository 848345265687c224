// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import Testing

/// What every store has to do, as cases that are run against each: a store's own tests give them a store with nothing in it.
///
///     @Test(arguments: StorageContract.cases)
///     func `memory keeps the contract`(of contract: StorageContract.Case) async throws {
///       try await contract.run(on: [MemoryStorage()])
///     }
enum StorageContract {
  /// One thing that a store has to do.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    fileprivate let body: @Sendable (StoreUnderTest) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
      self.name = name
      self.body = body
    }

    var testDescription: String { name }

    /// Tries it on a store with nothing in it. Where there are several doors, as with several servers on one database, what
    /// is done at the same time goes through all of them.
    func run(on doors: [any Storage]) async throws {
      try await body(StoreUnderTest(doors: doors))
    }
  }

  static let cases =
    ceremonies + accounts + erasure + registrations + credentials + signIns + sessions + renewals + stepUps + codes
    + devices + trail + sweeping + refusals + identity
}

/// A store with nothing in it, by one door or several.
struct StoreUnderTest: Sendable {
  let doors: [any Storage]

  /// The first of them.
  var storage: any Storage { doors[0] }

  /// Does something many times at once, through every door in turn; what came of it.
  func inParallel<Outcome: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (any Storage, Int) async throws -> Outcome
  ) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      for number in 0..<count {
        let door = doors[number % doors.count]
        group.addTask { try await body(door, number) }
      }
      var outcomes: [Outcome] = []
      for try await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
  }
}

extension AccountStorage {
  /// All credentials of an account that may be asked for.
  func candidate(email: EmailAddress) async throws(StorageError) -> SignInCandidate? {
    try await candidate(email: email, limit: .max, standInCount: 1)
  }
}
