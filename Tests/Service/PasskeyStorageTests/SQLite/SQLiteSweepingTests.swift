// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeyService
@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite struct SQLiteSweepingTests {
  @Test(arguments: ExpiredRows.allCases)
  func `each statement of a sweep finds its rows by an index`(kind: ExpiredRows) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    await (try SQLiteStorage.open(path)).close()
    let connection = try SQLiteConnection(path, for: .reading, busyTimeout: .zero)
    // A search by the time's index gives the order, so nothing is sorted.
    let selection = try connection.plan(kind.selection(before: Sample.start, limit: 500))
    #expect(selection.count == 1 && selection.allSatisfy { $0.hasPrefix("SEARCH ") && $0.contains("<?") })
    let deletions = [kind.deletion(of: [.bytes([1])], before: Sample.start, .sqlite)] + ExpiredRows.endings(of: [.null])
    for deletion in deletions {
      let steps = try connection.plan(deletion)
      #expect(steps.count == 1 && steps.allSatisfy { $0.hasPrefix("SEARCH ") && $0.contains("=?") })
    }
  }

  @Test func `the cosigned checkpoints of an hour are found by their time`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    await (try SQLiteStorage.open(path)).close()
    let connection = try SQLiteConnection(path, for: .reading, busyTimeout: .zero)
    let statement = StoredCheckpoint.cosigned(of: 1, in: Sample.start..<Sample.time(3_600))
    let search = try #require(try connection.plan(statement).first)
    #expect(search.contains("USING INDEX audit_checkpoints_evidence") && search.hasSuffix("signed>? AND signed<?)"))
  }

  @Test func `a transaction of a sweep ends after a few milliseconds`() async throws {
    let folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db")
    let codes = try (0..<64).map { (_) in
      IssuedCode(digest: try Sample.identifier(), purpose: .invitation, created: Sample.start, expiry: Sample.start)
    }
    for code in codes { #expect(try await storage.issue(code, spending: nil, audit: []).refusal == nil) }
    let candidates = codes.map { ExpiredRows.Candidate(key: .fixed($0.digest), account: nil) }[...]
    let deletion = try await storage.database.write(.serial) { (transaction) throws(StorageError) in
      try ExpiredRows.codes.delete(
        candidates, before: Sample.time(1), in: SlowTransaction(transaction), .sqlite)
    }
    #expect(deletion.candidateCount == 16)
    #expect(deletion.count == 16)
    await storage.close()
  }
}

extension SQLiteConnection {
  /// Returns the steps of a statement's plan.
  fileprivate func plan(_ statement: SQLStatement) throws -> [String] {
    try rows("EXPLAIN QUERY PLAN " + statement.text, statement.values).map { try $0.text(3) }
  }
}

/// A transaction whose statements take longer than a transaction of a sweep may.
private final class SlowTransaction: SQLWrite {
  private let transaction: any SQLWrite

  init(_ transaction: any SQLWrite) {
    self.transaction = transaction
  }

  var writesNotices: Bool {
    get { transaction.writesNotices }
    set { transaction.writesNotices = newValue }
  }

  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    let answers = try transaction.batch(statements)
    let end = ContinuousClock.now + .milliseconds(20)
    while ContinuousClock.now < end {}
    return answers
  }

  func run(_ statement: SQLStatement) throws(StorageError) { try transaction.run(statement) }
  var dialect: SQLDialect { transaction.dialect }
  func requestRollback() { transaction.requestRollback() }
  func lock(_ objects: Set<LockedObject>) throws(StorageError) { try transaction.lock(objects) }
}
