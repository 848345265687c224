// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem
public import PasskeyStorage

/// A store in one file, for one machine. It needs no setup.
///
/// The file uses SQLite's WAL mode. Concurrent transactions share a commit, and several commits share an fsync.
///
/// One server uses the file. Other processes, such as the command-line tool, may read and write it at the same time.
public final class SQLiteStorage: DatabaseStorage, @unchecked Sendable {  // constants only
  private let file: SQLiteDatabase

  /// The files that are deleted with a temporary store.
  private let temporaryFiles: TemporaryFiles?

  /// Opens a database file, or creates it with its tables. SQLite keeps two more files next to it while it is open.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - owner: The program that the file belongs to. Say `.embeddingServer` to add the store's tables to your own file.
  ///     Nil stands for what the file shows; a new file becomes the service's.
  ///   - readerCount: The number of read threads.
  ///   - busyTimeout: How long a write waits for another program's lock.
  ///   - tables: Tables of the server that embeds the service, in the same file.
  /// - Returns: The open store. Close it with ``close()``.
  /// - Throws: `storage.configuration-invalid` for an empty path, `storage.unavailable`, `storage.foreign` if the file is
  ///   another program's or has tables with the store's names, `storage.schema-older` or `storage.schema-newer` if another
  ///   version wrote it, `storage.migration-failed` if the tables cannot be created, or another code of the failed write.
  public static func open(
    _ path: String, owner: SQLiteFileOwner? = nil, readerCount: Int = 2, busyTimeout: Duration = .seconds(5),
    embedded tables: EmbeddedTables = EmbeddedTables()
  ) async throws(StorageError) -> SQLiteStorage {
    let storage = SQLiteStorage(
      try await WorkerThread.run { () throws(StorageError) in
        try SQLiteDatabase(path, owner: owner, readerCount: readerCount, busyTimeout: busyTimeout)
      }, tables)
    try await storage.createEmbeddedTables()
    return storage
  }

  /// Opens a new store in a temporary folder, for tests and first tries. Closing the store deletes the folder, as does the
  /// release of the last reference; a program that ends before that leaves it behind. Blocks the calling thread for some
  /// milliseconds.
  ///
  /// - Returns: The open store.
  /// - Throws: `storage.unavailable` if there is no folder for temporary files, or the code of a statement of the tables.
  public static func temporary(embedded tables: EmbeddedTables = EmbeddedTables()) throws(StorageError) -> SQLiteStorage
  {
    let name = "passkey.sqlite"
    guard let files = TemporaryFiles([name, "\(name)-wal", "\(name)-shm"]) else {
      throw StorageError(.unavailable, "no temporary folder can be created")
    }
    let path = "\(files.folder)/\(name)"
    let file = try SQLiteDatabase(path, readerCount: 1, busyTimeout: .seconds(5))
    let connection = try SQLiteConnection(path, for: .writing, busyTimeout: .seconds(5))
    for statement in tables.creation { _ = try connection.rows(statement) }
    return SQLiteStorage(file, tables, files)
  }

  /// Opens an existing database file to read it. Writes throw `storage.read-only`.
  ///
  /// - Throws: `storage.unavailable`, `storage.foreign`, `storage.schema-newer` or `storage.schema-older`.
  package static func openForReading(
    _ path: String, busyTimeout: Duration = .seconds(5)
  ) async throws(StorageError) -> DatabaseStorage {
    DatabaseStorage(
      try await WorkerThread.run { () throws(StorageError) in
        try SQLiteReadOnlyDatabase(path, busyTimeout: busyTimeout)
      })
  }

  private init(_ file: SQLiteDatabase, _ tables: EmbeddedTables, _ temporaryFiles: TemporaryFiles? = nil) {
    self.file = file
    self.temporaryFiles = temporaryFiles
    super.init(file, embedded: tables)
  }

  /// Finishes pending work, closes the database, and deletes a temporary store. Later calls throw.
  public override func close() async {
    await super.close()
    temporaryFiles?.delete()
  }

  /// The fault of the database's files, if another program has removed, replaced or damaged them: no write is acknowledged
  /// then. Costs one system call.
  package var fault: StorageError? { file.fault }

  /// Looks at the database's files, and returns the same, or `storage.corrupt` if SQLite has found a damaged page.
  package func findFault() async -> StorageError? { await file.findFault() }

  /// Copies the database to a new file, as one snapshot, without blocking other transactions.
  ///
  /// - Throws: `storage.failed` if the file exists; `storage.full` or `storage.unavailable`.
  public func backUp(to path: String) async throws(StorageError) {
    try await file.backUp(to: path)
  }
}
