// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
internal import Synchronization

/// What ``SQLiteStorage`` and ``PostgreSQLStorage`` have in common: the service's transactions in SQL.
///
/// Every transaction that depends on what it has read is a serial one: it runs alone with the end of the audit trail, over
/// all servers of the database. What is left are single statements that are right at any time: keeping a ceremony, taking
/// it, noting that a session was used. Both kinds share commits with whatever comes at the same time.
///
/// The serial ones are on the disk when their methods return. The others are done and seen by everybody, but a failure of the
/// power may undo the latest of them: a ceremony that was taken comes back only if nothing that was done with it was
/// acknowledged, because whatever is acknowledged later brings them to the disk too.
public class DatabaseStorage: @unchecked Sendable {  // It has nothing that changes.
  let database: any SQLDatabase

  /// Where ceremonies are kept before the database is asked to; only a server that has the database for itself may do so.
  let recent: RecentCeremonies?

  /// How many ceremonies this server has put into the database.
  let keptCount = Atomic(0)

  /// How many bytes of ceremonies there may be in the database.
  let ceremonyByteLimit: Int

  init(
    _ database: any SQLDatabase, recent: RecentCeremonies? = nil, ceremonyByteLimit: Int = BoundedCeremonies.byteLimit
  ) {
    self.ceremonyByteLimit = ceremonyByteLimit
    self.database = database
    self.recent = recent
  }

  /// Finishes what is waiting and lets the database go. Whatever comes later is refused.
  public func close() async {
    if let left = recent?.close(), !left.isEmpty {
      // Where they cannot be written, whoever began them begins again.
      try? await database.write(.serial) { (transaction) throws(StorageError) in
        try transaction.run(left.map(\.insertion))
      }
    }
    await database.close()
  }
}

extension DatabaseStorage: Storage {
  /// Writes, so that a disk that is full and a server that takes no writes are noticed.
  public func check() async throws(StorageError) {
    try await database.write(.serial) { (transaction) throws(StorageError) in
      try transaction.run(SQLStatement("UPDATE write_check SET count = count + 1 WHERE id = 1"))
    }
  }
}
