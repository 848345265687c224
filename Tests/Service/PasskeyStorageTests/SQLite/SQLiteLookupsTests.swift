// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyFormats
import PasskeyService
import PasskeySystem
import PasskeyTestSupport
import Testing

@testable import PasskeySQLite
@testable import PasskeyStorage

@Suite struct SQLiteLookupsTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/finders.db" }
  private static let one = SQLStatement("SELECT number FROM things")

  init() throws {
    folder = try TemporaryFolder()
    let writing = try SQLiteConnection(path, for: .writing, busyTimeout: .zero)
    _ = try writing.rows("PRAGMA journal_mode = WAL")
    try writing.execute("CREATE TABLE things (number INTEGER); INSERT INTO things VALUES (7)")
  }

  /// Creates a pool with a single reading connection, and the writing connection.
  private func finders() throws -> (SQLiteLookups, SQLiteWritingConnection) {
    let writing = SQLiteWritingConnection(
      try SQLiteConnection(path, for: .writing, busyTimeout: .zero), busyTimeout: .zero)
    return (SQLiteLookups([try SQLiteConnection(path, for: .reading, busyTimeout: .zero)], writing: writing), writing)
  }

  @Test func `a lookup without an idle connection is reported, and used connections become idle`() throws {
    let (finders, _) = try finders()
    for _ in 0..<3 {
      let found = try finders.find { (transaction) throws(StorageError) -> Int64? in
        let second = try finders.find { (transaction) throws(StorageError) in
          let third = try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count }
          #expect(third == nil)
          return try transaction.rows(Self.one).count
        }
        #expect(second == 1)
        return try transaction.row(Self.one)?.integer(0)
      }
      #expect(found == 7)
    }
  }

  @Test func `uncommitted writes are not found`() throws {
    let (finders, writing) = try finders()
    func count() -> Int? {
      try? finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count }
    }
    writing.write { (connection) in
      _ = try? connection.rows("BEGIN IMMEDIATE")
      _ = try? connection.rows("INSERT INTO things VALUES (8)")
      #expect(count() == 1)
      _ = try? connection.rows("COMMIT")
      #expect(count() == 2)
    }
    #expect(count() == 2)
  }

  @Test func `a writer waits for current readers of its connection only`() throws {
    let (finders, writing) = try finders()
    let wrote = Locked(false)
    _ = try writing.read { (connection) throws(StorageError) in
      _ = SystemThread.start {
        writing.write { (connection) in
          _ = try? connection.rows("INSERT INTO things VALUES (8)")
          wrote.update { (wrote) in wrote = true }
        }
      }
      while !writing.isWanted { usleep(1000) }
      #expect(try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count } == 1)
      #expect(!wrote.withLock { (wrote) in wrote })
      #expect(try connection.rows(Self.one.text).count == 1)
    }
    wrote.wait { (wrote) in wrote ? () : nil }
    #expect(try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count } == 2)
  }

  @Test func `concurrent commits are found`() throws {
    let (finders, _) = try finders()
    let other = try SQLiteConnection(path, for: .writing, busyTimeout: .zero)
    for count in 1...3 {
      #expect(try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count } == count)
      _ = try other.rows("INSERT INTO things VALUES (9)")
    }
  }

  @Test func `a failure is reported, and the connection becomes idle`() throws {
    let (finders, _) = try finders()
    for _ in 0..<2 {
      #expect(throws: StorageError.self) {
        try finders.find { (transaction) throws(StorageError) in
          try transaction.rows(SQLStatement("SELECT number FROM nothing")).count
        }
      }
    }
    #expect(try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count } == 1)
  }

  @Test func `a connection that would block finds nothing`() throws {
    let (finders, _) = try finders()
    let found: Int? = try finders.find { (_) throws(StorageError) in throw StorageError(.contended, "busy") }
    #expect(found == nil)
  }

  @Test func `a closed lookup finds nothing`() throws {
    let (finders, writing) = try finders()
    finders.close()
    writing.close()
    #expect(try finders.find { (transaction) throws(StorageError) in try transaction.rows(Self.one).count } == nil)
  }
}
