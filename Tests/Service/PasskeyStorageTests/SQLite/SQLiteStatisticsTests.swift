// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyService
@testable import PasskeySQLite
@testable import PasskeyStorage

/// Plans of a file, also if another program has analyzed it; the store never does.
@Suite struct SQLiteStatisticsTests {
  private let folder: TemporaryFolder
  private let names: AccountNames

  init() async throws {
    folder = try TemporaryFolder()
    let storage = try await SQLiteStorage.open(folder.path + "/passkey.db")
    var last: AccountNames?
    // None has a username, so the statistics call its index useless.
    for _ in 0..<200 { last = try await storage.registerAccount().account.names }
    await storage.close()
    names = try #require(last)
  }

  /// Opens a connection, which reads the statistics then.
  private func open(analyzing: Bool) throws -> SQLiteConnection {
    let path = folder.path + "/passkey.db"
    if analyzing { try SQLiteConnection(path, for: .writing, busyTimeout: .zero).execute("ANALYZE") }
    return try SQLiteConnection(path, for: .reading, busyTimeout: .zero)
  }

  private func steps(of statement: SQLStatement, on connection: SQLiteConnection) throws -> [String] {
    try connection.rows("EXPLAIN QUERY PLAN " + statement.text, statement.values)
      .map { (row) throws(StorageError) in try row.text(3) }
  }

  @Test func `accounts are found by an index after ANALYZE`() throws {
    let steps = try steps(of: Account.owners(of: names), on: open(analyzing: true))
    #expect(steps.contains { $0.contains("email=?") })
    #expect(!steps.contains { $0.hasPrefix("SCAN") })
  }

  @Test(arguments: [false, true])
  func `a search by the beginning of a name reads its part of the index, in order`(afterAnalyze: Bool) throws {
    let connection = try open(analyzing: afterAnalyze)
    for state in [nil, Account.State.active] {
      let filter = Account.Filter(state: state, prefix: Account.NamePrefix("ada"))
      let scans = try AccountScan.all(for: filter, after: nil, in: SQLiteTransaction(connection))
      #expect(scans.count == 2)
      for (scan, column) in zip(scans, ["email", "username_key"]) {
        let search = try steps(of: scan.statement(matching: filter, limit: 9, .sqlite), on: connection)
        #expect(search.count == 1 && search[0].contains("(\(column)>? AND \(column)<?)"), "\(search)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `the newest accounts are read from their index, in order`(afterAnalyze: Bool) throws {
    let connection = try open(analyzing: afterAnalyze)
    for state in [nil, Account.State.active] {
      let filter = Account.Filter(state: state, order: .newest)
      let scans = try AccountScan.all(for: filter, after: nil, in: SQLiteTransaction(connection))
      let search = try scans.flatMap {
        try steps(of: $0.statement(matching: filter, limit: 9, .sqlite), on: connection)
      }
      #expect(search.count == 1 && search[0].contains("accounts_created"), "\(search)")
    }
  }

  @Test(arguments: [false, true])
  func `accounts by name are read from the indexes of names, in order`(afterAnalyze: Bool) throws {
    let connection = try open(analyzing: afterAnalyze)
    let filter = Account.Filter(order: .name)
    let scans = try AccountScan.all(for: filter, after: nil, in: SQLiteTransaction(connection))
    #expect(scans.count == 2)
    for (scan, column) in zip(scans, ["email", "username_key"]) {
      let search = try steps(of: scan.statement(matching: filter, limit: 9, .sqlite), on: connection)
      #expect(search.count == 1 && search[0].contains("(\(column)>? AND \(column)<?)"), "\(search)")
    }
  }
}
