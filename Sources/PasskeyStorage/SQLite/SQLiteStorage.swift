// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

/// A store in one file, for one machine: nothing has to be set up.
///
/// The file is in SQLite's WAL mode. Transactions that come at the same time share a commit, and several commits share what
/// takes time: that the disk keeps them.
///
/// One server has the file. Other processes may read and write it at the same time, as the server's console does, but know
/// nothing of ceremonies that the server keeps in its memory.
public final class SQLiteStorage: DatabaseStorage, @unchecked Sendable {  // It has nothing that changes.
  private let file: SQLiteDatabase

  /// Opens the file at `path`, or makes it, and brings it to the schema of this version. SQLite has two more beside it while
  /// it is open. So many threads read from it, and another program that writes to it is waited for so long.
  public static func open(
    _ path: String, readerCount: Int = 2, busyTimeout: Duration = .seconds(5)
  ) async throws(StorageError) -> SQLiteStorage {
    try await open(path, readerCount: readerCount, busyTimeout: busyTimeout, recent: RecentCeremonies())
  }

  static func open(
    _ path: String, readerCount: Int = 2, busyTimeout: Duration = .seconds(5), recent: RecentCeremonies
  ) async throws(StorageError) -> SQLiteStorage {
    SQLiteStorage(
      try await WorkerThread.run { () throws(StorageError) in
        try SQLiteDatabase(path, readerCount: readerCount, busyTimeout: busyTimeout, migrations: Migration.all)
      }, recent)
  }

  private init(_ file: SQLiteDatabase, _ recent: RecentCeremonies) {
    self.file = file
    super.init(file, recent: recent)
  }

  /// Copies the database, as it is at one moment, to a file that is not there yet. Nobody waits for it.
  public func backUp(to path: String) async throws(StorageError) {
    try await file.backUp(to: path)
  }
}
