// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import ServiceTestSupport
import TestSupport
import Testing
import WebAuthnTypes

@testable import PasskeyStorage

/// Plans of a file that another program has analyzed; the store never does.
@Suite struct SQLiteStatisticsTests {
  @Test func `accounts are found by an index after ANALYZE`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/passkey.db"
    let storage = try await SQLiteStorage.open(path)
    var names: AccountNames?
    // None has a username, so the statistics call its index useless.
    for _ in 0..<200 { names = try await storage.registerAccount().account.names }
    await storage.close()
    let connection = try SQLiteConnection(path, for: .writing, busyTimeout: .zero)
    try connection.execute("ANALYZE")
    // A connection reads the statistics when it opens.
    let reader = try SQLiteConnection(path, for: .reading, busyTimeout: .zero)
    let statement = Account.owners(of: try #require(names))
    let steps = try reader.rows("EXPLAIN QUERY PLAN " + statement.text, statement.values)
      .map { (row) throws(StorageError) in try row.text(3) }
    #expect(steps.contains { $0.contains("email=?") })
    #expect(!steps.contains { $0.hasPrefix("SCAN") })
  }
}
