// SPDX-License-Identifier: Apache-2.0

internal import CPasskeySQLite
internal import PasskeySystem
internal import PasskeyStorage

/// A connection to a database file, with its prepared statements.
@safe final class SQLiteConnection: @unchecked Sendable {  // Used by one thread at a time.
  private let pointer: OpaquePointer
  private let tables: SQLTableNames
  private let health: SQLiteHealth?
  private var statements: [String: SQLiteStatement] = [:]
  private var embeddedStatements: [String: SQLiteStatement] = [:]
  private let logPages: UnsafeMutablePointer<Int32>

  /// The purpose of a connection.
  enum Use {
    case writing
    case reading
  }

  // 256 statements [more than a program has, unless it writes values into their text]
  private static let embeddedStatementLimit = 256

  init(
    _ path: String, for use: Use, busyTimeout: Duration, tables: SQLTableNames = .plain, health: SQLiteHealth? = nil
  ) throws(StorageError) {
    self.tables = tables
    self.health = health
    _ = SQLiteLibrary.isSetUp
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (use == .writing ? SQLITE_OPEN_CREATE : 0)
    let status = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened = unsafe opened else { throw StorageError(.unavailable, "SQLite is out of memory") }
    guard status == SQLITE_OK else {
      let error = unsafe SQLiteFailure.error(status, on: opened)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe pointer = opened
    unsafe logPages = .allocate(capacity: 1)
    unsafe logPages.initialize(to: 0)
    wait(for: busyTimeout)
    unsafe passkey_sqlite_defend(pointer)
    // Limits trust in the file: no unsafe functions in its schema, and b-tree cells are verified.
    try execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY")
    switch use {
    case .writing:
      // Overwrites deleted content with zeros, so that an erased person's data does not remain in free pages.
      try execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -16000")
      // The embedding server's tables may reference accounts.
      try execute("PRAGMA foreign_keys = ON")
    case .reading:
      try execute("PRAGMA query_only = ON; PRAGMA cache_size = -2000")
    }
  }

  deinit {
    statements.removeAll()
    embeddedStatements.removeAll()
    unsafe sqlite3_close_v2(pointer)
    unsafe logPages.deallocate()
  }

  /// Runs a statement and returns its rows. Prepares it once.
  func rows(_ statement: SQLStatement) throws(StorageError) -> [SQLRow] {
    guard !statement.isOwn else { return try rows(statement.text, statement.values) }
    return try noting { () throws(StorageError) in
      if let prepared = embeddedStatements[statement.text] { return try prepared.rows(statement.values) }
      if embeddedStatements.count >= Self.embeddedStatementLimit { embeddedStatements.removeAll() }
      let prepared = try unsafe SQLiteStatement(statement.text, on: pointer)
      embeddedStatements[statement.text] = prepared
      return try prepared.rows(statement.values)
    }
  }

  /// Runs a statement of the store and returns its rows. Prepares it once.
  func rows(_ text: String, _ values: [SQLValue] = []) throws(StorageError) -> [SQLRow] {
    try noting { () throws(StorageError) in
      if let statement = statements[text] { return try statement.rows(values) }
      let statement = try unsafe SQLiteStatement(tables.translated(text), on: pointer)
      statements[text] = statement
      return try statement.rows(values)
    }
  }

  private func noting(_ body: () throws(StorageError) -> [SQLRow]) throws(StorageError) -> [SQLRow] {
    do throws(StorageError) {
      return try body()
    } catch {
      health?.note(error)
      throw error
    }
  }

  /// Runs statements of the store without parameters, separated by semicolons.
  func execute(_ script: String) throws(StorageError) {
    let status = unsafe sqlite3_exec(pointer, tables.translated(script), nil, nil, nil)
    guard status == SQLITE_OK else { throw unsafe SQLiteFailure.error(status, on: pointer) }
  }

  /// Runs a pragma or another statement that returns one integer.
  func integer(_ text: String) throws(StorageError) -> Int64 {
    guard let row = try unsafe SQLiteStatement(tables.translated(text), on: pointer).rows([]).first else {
      throw StorageError(.corrupt, "no result of \(text)")
    }
    return try row.integer(0)
  }

  /// Sets the busy time-out.
  func wait(for busyTimeout: Duration) {
    unsafe sqlite3_busy_timeout(pointer, busyTimeout.milliseconds)
  }

  /// Disables automatic checkpoints and counts the pages of the write-ahead log after each commit.
  func keepLog() {
    unsafe passkey_sqlite_count_pages(pointer, logPages)
  }

  /// The number of pages in the write-ahead log after the latest commit since ``keepLog()``.
  var logPageCount: Int32 { unsafe logPages.pointee }

  /// The path of the write-ahead log.
  var logPath: String {
    guard let name = unsafe sqlite3_db_filename(pointer, "main"), let log = unsafe sqlite3_filename_wal(name) else {
      return ""
    }
    return unsafe String(cString: log)
  }

  /// The index of the log, in memory that all processes share. It stays there until the connection is closed.
  var logIndex: UnsafeRawPointer? { unsafe passkey_sqlite_log_index(pointer) }

  /// Leaves the write-ahead log as it is when the last connection is closed.
  func keepLogOnClose() { unsafe passkey_sqlite_keep_log(pointer) }

  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(pointer) == 0 }

  /// Whether a commit would fail because of a deferred foreign key.
  var breaksForeignKey: Bool {
    var (count, unused): (Int32, Int32) = (0, 0)
    return unsafe sqlite3_db_status(pointer, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &unused, 0) == SQLITE_OK
      && count != 0
  }

  /// Calls `body` with the SQLite handle.
  @safe func withPointer<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(pointer)
  }
}

/// The SQLite library linked at run time.
enum SQLiteLibrary {
  /// Configures the library once per process. Has no effect if SQLite is already initialized.
  static let isSetUp: Bool = {
    passkey_sqlite_count_no_memory()
    return true
  }()

  static var version: Int64 { Int64(sqlite3_libversion_number()) }
  static var versionText: String { unsafe String(cString: sqlite3_libversion()) }
}
