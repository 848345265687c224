// SPDX-License-Identifier: Apache-2.0

import PasskeyService
import TestSupport
import Testing
import WireFormats

@testable import PasskeyStorage

@Suite struct SQLiteFindersTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/finders.db" }
  private static let one = SQLStatement("SELECT number FROM things")

  init() throws {
    folder = try TemporaryFolder()
    let writing = try SQLiteConnection(path, for: .writing, busyTimeout: .zero)
    _ = try writing.rows("PRAGMA journal_mode = WAL")
    try writing.execute("CREATE TABLE things (number INTEGER); INSERT INTO things VALUES (7)")
  }

  private func finders() throws -> SQLiteFinders {
    SQLiteFinders([try SQLiteConnection(path, for: .reading, busyTimeout: .zero)])
  }

  @Test func `who finds no idle connection is told so, and one that was used is idle again`() throws {
    let finders = try finders()
    for _ in 0..<3 {
      let found = try finders.find { (transaction) throws(StorageError) -> Int64? in
        let inner = try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count }
        #expect(inner == nil)
        return try transaction.row(Self.one)?.integer(0)
      }
      #expect(found == 7)
    }
  }

  @Test func `a failure is told, and the connection is idle again`() throws {
    let finders = try finders()
    for _ in 0..<2 {
      #expect(throws: StorageError.self) {
        try finders.find { (transaction) throws(StorageError) in
          try transaction.rows(SQLStatement("SELECT number FROM nothing")).count
        }
      }
    }
    #expect(try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count } == 1)
  }

  @Test func `a connection that would have to wait finds nothing`() throws {
    let finders = try finders()
    let found: Int? = try finders.find { (_) throws(StorageError) in throw StorageError(.contended, "busy") }
    #expect(found == nil)
  }

  @Test func `what is closed finds nothing`() throws {
    let finders = try finders()
    finders.close()
    #expect(try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count } == nil)
  }
}
