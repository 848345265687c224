// SPDX-License-Identifier: Apache-2.0

internal import CPasskeySQLite
internal import PasskeyStorage

/// A database file with one writer thread and several reader threads.
final class SQLiteDatabase: SQLDatabase {
  private let file: SQLiteFile
  private let busyTimeout: Duration
  private let writer: SQLiteWriter
  private let readers: SQLiteReaders
  private let finders: SQLiteLookups

  /// Opens the file, or creates it with its schema. Without an `owner`, the file shows it. Blocks the calling
  /// thread.
  init(
    _ path: String, owner: SQLiteFileOwner? = nil, readerCount: Int, busyTimeout: Duration
  ) throws(StorageError) {
    // SQLite would open an empty path as a temporary file, and `:memory:` as an in-memory database.
    guard !path.isEmpty, path != ":memory:", !path.utf8.contains(0) else {
      throw StorageError(.configurationInvalid, "a file path is required")
    }
    self.busyTimeout = busyTimeout
    let found = try SQLiteSchema.owner(of: SQLiteConnection(path, for: .writing, busyTimeout: busyTimeout))
    file = SQLiteFile(path: path, owner: owner ?? found)
    let connection = try file.connection(for: .writing, busyTimeout: busyTimeout)
    try SQLiteSchema.prepare(connection, owner: file.owner)
    // Retries a scrub that an earlier process left due.
    try? SQLiteScrub.perform(file)
    var reading: [SQLiteConnection] = []
    var finding: [SQLiteConnection] = []
    for _ in 0..<max(1, readerCount) {
      reading.append(try file.connection(for: .reading, busyTimeout: busyTimeout))
      // Finders run on the calling thread, so they must not wait.
      for _ in 0..<2 { finding.append(try file.connection(for: .reading, busyTimeout: .zero)) }
    }
    readers = try SQLiteReaders(reading)
    writer = try SQLiteWriter(
      connection, to: path, busyTimeout: busyTimeout,
      checkpointing: try file.connection(for: .writing, busyTimeout: busyTimeout))
    finders = SQLiteLookups(finding, writing: writer.connection)
  }

  func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try writer.log.files.requireIntact()
    return try await writer.queue.perform(order: order, body)
  }

  func check() async throws(StorageError) {
    if let fault = await findFault() { throw fault }
    let isFull = file.health.isFull
    try await write(.serial) { (transaction) throws(StorageError) in
      try transaction.run(SQLStatement("UPDATE write_check SET count = count + 1 WHERE id = 1"))
      guard isFull else { return }
      // 256 KiB [several registrations at once write less; a row may fit into the log when they do not]
      try transaction.run(SQLStatement("INSERT INTO write_check (id, count) VALUES (2, zeroblob(262144))"))
      try transaction.run(SQLStatement("DELETE FROM write_check WHERE id = 2"))
    }
    if isFull { file.health.endFull() }
  }

  /// The result of the last look at the files, if it still holds.
  var fault: StorageError? { writer.log.files.fault }

  /// Looks at the files, and returns what is wrong with them or what SQLite could not read.
  func findFault() async -> StorageError? {
    let fault = try? await readers.queue.perform { [log = writer.log] (_: any SQLTransaction) throws(StorageError) in
      log.findFault()
    }
    return (fault ?? nil) ?? file.health.corruption
  }

  func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try writer.log.files.requireIntact()
    return try await readers.queue.perform(body)
  }

  func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    try writer.log.files.requireIntact()
    if let value = try finders.find(body) { return value }
    return try await read(body)
  }

  func scrub() async {
    guard fault == nil else { return }
    _ = try? await WorkerThread.run { [file] () throws(StorageError) in try SQLiteScrub.perform(file) }
  }

  func reclaim() async {
    guard fault == nil, case .service = file.owner, (try? await SQLiteReclaim.perform(on: self)) == true else { return }
    // The checkpoint truncates the file itself.
    _ = try? await WorkerThread.run { [file] () throws(StorageError) in
      SQLiteWriteAheadLog.checkpointInRounds(on: try file.connection(for: .writing, busyTimeout: .zero))
    }
  }

  /// The device and the number of the file. A copy beside it has another number.
  func place(_ transaction: any SQLTransaction) -> [UInt8] { [UInt8]("\(writer.log.files.identity)".utf8) }

  var dialect: SQLDialect { .sqlite }

  /// Closes the writer last and alone: if two connections close at once, each leaves the final checkpoint to the other.
  func close() async {
    readers.queue.close()
    _ = try? await WorkerThread.run { [writer, readers, finders] () throws(StorageError) in
      finders.close()
      readers.queue.waitForWorkers()
      writer.queue.close()
      writer.queue.waitForWorkers()
    }
  }

  /// Copies the current state of the database to a new file.
  func backUp(to copy: String) async throws(StorageError) {
    try await WorkerThread.run { [file, busyTimeout] () throws(StorageError) in
      try SQLiteBackup.copy(file.path, to: copy, busyTimeout: busyTimeout)
    }
  }
}

/// SQLite's online backup.
enum SQLiteBackup {
  /// Copies a database to a new file while other connections read and write.
  ///
  /// Copies all pages in one step, and so in one snapshot. In WAL mode this blocks no writer; a copy in several steps
  /// would restart after each write.
  static func copy(_ path: String, to copy: String, busyTimeout: Duration) throws(StorageError) {
    let source = try SQLiteConnection(path, for: .reading, busyTimeout: busyTimeout)
    let target = try SQLiteConnection(copy, for: .writing, busyTimeout: busyTimeout)
    guard try target.integer("PRAGMA page_count") == 0 else {
      throw StorageError(.failed, "a file exists at \(copy)")
    }
    try source.withPointer { (source) throws(StorageError) in
      try target.withPointer { (target) throws(StorageError) in
        guard let backup = unsafe sqlite3_backup_init(target, "main", source, "main") else {
          throw unsafe SQLiteFailure.error(sqlite3_errcode(target), on: target)
        }
        let step = unsafe sqlite3_backup_step(backup, -1)
        let end = unsafe sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, end == SQLITE_OK else {
          throw unsafe SQLiteFailure.error(end == SQLITE_OK ? step : end, on: target)
        }
      }
    }
  }
}
