// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import PasskeyServiceTestSupport
import PasskeyStorage
import Testing
import WebAuthnTypes

/// Checks of transactions with statements of the server that embeds the service.
enum TransactionChecks {
  /// The tables of the checks, in the service's schema.
  static let tables = EmbeddedTables(
    creation: ["CREATE TABLE IF NOT EXISTS own_orders (id TEXT PRIMARY KEY NOT NULL, person BLOB NOT NULL)"],
    erasure: ["DELETE FROM own_orders WHERE person = $1"])

  /// The same tables, with PostgreSQL's types.
  static let postgreSQLTables = EmbeddedTables(
    creation: ["CREATE TABLE IF NOT EXISTS own_orders (id text PRIMARY KEY NOT NULL, person bytea NOT NULL)"],
    erasure: tables.erasure)

  /// A new account with a grant.
  private static func granted(_ storage: DatabaseStorage) async throws -> (account: Account, grant: StepUpGrant) {
    let (ada, passkey) = try await storage.registerAccount()
    let opening = try Sample.opening(of: ada.handle, with: passkey.record.id)
    let known = try #require(await storage.passkey(passkey.record.id))
    let signIn = SignInCommit(use: CredentialUse(known), opening: opening, audit: [])
    #expect(try await storage.signIn(signIn) == .opened)
    let grant = try Sample.grant(of: opening)
    let current = try #require(await storage.passkey(passkey.record.id))
    let confirmed = StepUpCommit(use: CredentialUse(current), grant: grant, audit: [])
    #expect(try await storage.confirm(confirmed) == .granted)
    return (ada, grant)
  }

  /// An action whose answer is kept is performed and recorded once. Its repetition gets the first answer until its end, and
  /// nothing else does.
  static func answerOnce(_ storage: DatabaseStorage) async throws {
    let (ada, grant) = try await granted(storage)
    let (count, orders) = (try await storage.recordCount, try await orderCount(storage))
    let draft = try Sample.draft(.stepUpSpent, of: ada.handle)
    @Sendable func place(_ spending: GrantSpending, _ answer: [UInt8]?) async throws -> SpentConfirmation.KeptAnswer? {
      try await storage.transactOnce(
        by: ada.handle, spending: spending, keepingAnswerUntil: Sample.time(3_600), audit: [draft]
      ) { (transaction) throws(StorageError) in
        let id = spending.digest.bytes.prefix(8).map { String($0, radix: 16) }.joined()
        _ = try transaction.rows(
          "INSERT INTO own_orders (id, person) VALUES ($1, $2)", [.text(id), .bytes(Array(ada.handle.bytes))])
        guard let answer else { throw StorageError(.failed, "refused by the body") }
        return answer
      }
    }
    await #expect(throws: StorageError(.failed, "refused by the body")) { try await place(GrantSpending(grant), nil) }
    let answers = try await withThrowingTaskGroup(of: SpentConfirmation.KeptAnswer?.self) { (group) in
      for number in 0..<8 { group.addTask { try await place(GrantSpending(grant), [UInt8(number)]) } }
      return try await group.reduce(into: []) { (answers, answer) in answers.append(answer) }
    }
    #expect(answers.count { $0?.isRepeated == false } == 1 && Set(answers.map { $0?.bytes }).count == 1)
    let first = try #require(answers.first ?? nil).bytes
    #expect(try await storage.recordCount == count + 1)
    #expect(try await orderCount(storage) == orders + 1)
    // After the end of the grant's own time.
    #expect(try await place(GrantSpending(grant, at: Sample.time(3_600)), nil)?.bytes == first)
    var other = GrantSpending(grant)
    other.actionDigest = try Sample.bytes(32)
    for _ in 0..<4 { #expect(try await place(other, nil) == nil) }
    #expect(try await !storage.spend(GrantSpending(grant), audit: []))
    #expect(try await place(GrantSpending(grant, at: Sample.time(3_600)), nil)?.bytes == first)
    #expect(try await place(GrantSpending(grant, at: Sample.time(3_601)), nil) == nil)
    // An answer ends with its session.
    let (bob, second) = try await granted(storage)
    #expect(try await place(GrantSpending(second), [1]) == SpentConfirmation.KeptAnswer(bytes: [1], isRepeated: false))
    _ = try await storage.revoke(second.session, of: bob.handle, audit: [])
    #expect(try await place(GrantSpending(second), nil) == nil)
  }

  /// A transaction that throws changes nothing and spends no grant; one that commits spends it with all other changes.
  static func commitTogether(_ storage: DatabaseStorage) async throws {
    let (ada, grant) = try await granted(storage)
    let count = try await storage.recordCount
    let draft = try Sample.draft(.stepUpSpent, of: ada.handle)
    let notice = RoutedNotice(
      Notice(NoticeEvent(rawValue: "order.filled"), cause: "o-1", of: ada.handle, at: Sample.start, details: [:]),
      to: [DestinationName(rawValue: "erp")])

    @Sendable func insert(_ transaction: any StorageTransaction) throws(StorageError) {
      _ = try transaction.rows(
        "INSERT INTO own_orders (id, person) VALUES ($1, $2)", [.text("o-1"), .bytes(Array(ada.handle.bytes))])
      try transaction.enqueue([notice])
    }
    await #expect(throws: StorageError(.failed, "refused by the body")) {
      try await storage.transact(by: nil, spending: GrantSpending(grant), audit: [draft]) {
        (transaction) throws(StorageError) in
        try insert(transaction)
        throw StorageError(.failed, "refused by the body")
      }
    }
    #expect(try await storage.recordCount == count)
    #expect(try await orderCount(storage) == 0)
    #expect(try await storage.outboxCounts().isEmpty)

    let committed: Int? = try await storage.transact(by: nil, spending: GrantSpending(grant), audit: [draft]) {
      (transaction) throws(StorageError) in
      try insert(transaction)
      try transaction.record([draft])
      return 7
    }
    #expect(committed == 7)
    #expect(try await storage.recordCount == count + 2)
    #expect(try await orderCount(storage) == 1)
    #expect(try await storage.outboxCounts().map(\.waiting) == [1])

    let again: Int? = try await storage.transact(by: nil, spending: GrantSpending(grant), audit: [draft]) {
      (transaction) throws(StorageError) in 8
    }
    #expect(again == nil)
    #expect(try await storage.recordCount == count + 2)

    #expect(try await storage.erase(ada.handle, spending: nil, audit: []).refusal == nil)
    #expect(try await orderCount(storage) == 0)
  }

  /// Registers accounts while some transactions break a deferred foreign key, which only a commit detects.
  static func deferredKeyFailsAlone(_ storage: DatabaseStorage, _ insertion: String) async throws {
    let stranger = StorageValue.bytes(try Sample.bytes(32))
    let people = try (0..<40).map { (_) in try SampleUser() }
    let failures = try await withThrowingTaskGroup(of: Bool.self) { (group) in
      for (number, person) in people.enumerated() {
        group.addTask {
          guard number % 8 == 0 else {
            try await person.register(with: storage)
            return false
          }
          do throws(StorageError) {
            _ = try await storage.transact(by: nil, spending: nil, audit: []) { (transaction) throws(StorageError) in
              try transaction.rows(insertion, [stranger])
            }
            return false
          } catch {
            #expect(error.code == .conflict)
            return true
          }
        }
      }
      var failures = 0
      for try await failed in group where failed { failures += 1 }
      return failures
    }
    #expect(failures == 5)
    #expect(try await storage.accounts(after: nil, matching: Account.Filter(), limit: 100).count == 35)
  }

  private static func orderCount(_ storage: DatabaseStorage) async throws -> Int64 {
    let rows = try await storage.transact(by: nil, spending: nil, audit: []) { (transaction) throws(StorageError) in
      try transaction.rows("SELECT count(*) FROM own_orders", [])
    }
    guard case .integer(let count)? = rows?.first?.first else { return -1 }
    return count
  }
}
