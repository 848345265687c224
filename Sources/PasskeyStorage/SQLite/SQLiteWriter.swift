// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

/// The one connection that writes, and the thread that it belongs to.
///
/// Writes that wait are done together, with one COMMIT for all of them. Where one fails, all are done anew, each in a
/// savepoint of its own, so that it takes nothing of the others with it; a savepoint costs a copy of every page that is
/// changed in it, and almost none is ever gone back to. The commit goes to the write-ahead log, and another thread brings the log to the
/// disk (``SQLiteLog``), which is what takes time: meanwhile the next writes are done.
final class SQLiteWriter: Sendable {
  let queue: JobQueue<PendingWrite>
  let connection: SQLiteWritingConnection

  /// More writes in one transaction gain little, and make the first of them wait.
  private static let batchLimit = 128

  /// As many writes wait at most: at the rates of an ordinary disk, some seconds' worth.
  private static let waitingLimit = 16_384

  init(
    _ connection: SQLiteConnection, busyTimeout: Duration, checkpointing: SQLiteConnection
  ) throws(StorageError) {
    let queue = JobQueue<PendingWrite>(limit: Self.waitingLimit)
    let log = try SQLiteLog(of: connection, checkpointing: checkpointing, writers: queue)
    let writing = SQLiteWritingConnection(connection, busyTimeout: busyTimeout)
    (self.queue, self.connection) = (queue, writing)
    let started = queue.startWorker {
      while let writes = queue.take(atMost: Self.batchLimit) {
        writing.write { (connection) in
          Self.perform(writes, on: connection, log)
          log.checkpoint(after: connection)
        }
      }
      log.finish()
      writing.close()
    }
    guard started else {
      log.finish()
      throw StorageError(.unavailable, "the system has no thread left")
    }
  }

  /// The threads finish what is waiting, and end.
  deinit {
    queue.close()
  }

  private static func perform(_ writes: [PendingWrite], on connection: SQLiteConnection, _ log: SQLiteLog) {
    do throws(StorageError) {
      _ = try connection.rows("BEGIN IMMEDIATE")
    } catch {
      return writes.forEach { (write) in write.fail(error) }
    }
    let written = performTogether(writes, on: connection) ? writes : performOneByOne(writes, on: connection)
    for write in written {
      if write.row == nil { log.bringToDisk(write) } else { write.succeed() }
    }
  }

  /// Does all writes or, where one of them fails or takes itself back, none.
  private static func performTogether(_ writes: [PendingWrite], on connection: SQLiteConnection) -> Bool {
    do throws(StorageError) {
      let transaction = SQLiteTransaction(connection)
      for write in writes {
        try write.run(transaction)
        guard !transaction.isTakenBack else { throw StorageError(.failed, "taken back") }
      }
      try transaction.finish()
      _ = try connection.rows("COMMIT")
      return true
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      return false
    }
  }

  /// Does the writes that can be done, and fails the others.
  private static func performOneByOne(
    _ writes: [PendingWrite], on connection: SQLiteConnection
  ) -> [PendingWrite] {
    var rest = writes[...]
    var written: [PendingWrite] = []
    do throws(StorageError) {
      _ = try connection.rows("BEGIN IMMEDIATE")
      let transaction = SQLiteTransaction(connection)
      while let write = rest.popFirst() {
        do throws(StorageError) {
          try transaction.attempt { () throws(StorageError) in try write.run(transaction) }
          written.append(write)
        } catch {
          write.fail(error)
          // A full disk may end the whole transaction.
          guard connection.isInTransaction else { throw error }
        }
      }
      try transaction.finish()
      _ = try connection.rows("COMMIT")
      return written
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      (written + rest).forEach { (write) in write.fail(error) }
      return []
    }
  }
}
