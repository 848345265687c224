// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The only write connection and its thread.
///
/// Queued writes share one COMMIT (group commit). If one fails, the batch is rolled back and run again with a savepoint
/// for each write, so that the failure does not affect the others. Savepoints are not used at first, because each
/// copies every page changed in it and almost none is rolled back. The commit goes to the write-ahead log. Another
/// thread fsyncs the log (``SQLiteWriteAheadLog``), the slow part, while the next writes run.
final class SQLiteWriter: Sendable {
  let queue: JobQueue<PendingWrite>
  let connection: SQLiteWritingConnection
  let log: SQLiteWriteAheadLog

  /// 128 writes  [larger transactions gain little and delay their first write]
  private static let batchLimit = 128

  /// 16,384 queued writes  [a few seconds' worth for an ordinary disk]
  private static let waitingLimit = 16_384

  init(
    _ connection: SQLiteConnection, to path: String, busyTimeout: Duration, checkpointing: SQLiteConnection
  ) throws(StorageError) {
    let queue = JobQueue<PendingWrite>(limit: Self.waitingLimit)
    let log = try SQLiteWriteAheadLog(of: connection, to: path, checkpointing: checkpointing, writers: queue)
    let writing = SQLiteWritingConnection(connection, busyTimeout: busyTimeout)
    (self.queue, self.connection, self.log) = (queue, writing, log)
    let started = queue.startWorker {
      while let writes = queue.take(atMost: Self.batchLimit) {
        writing.write { (connection) in
          Self.perform(writes, on: connection, log)
          log.checkpoint(after: connection)
        }
      }
      writing.close(keepingLog: log.finish())
    }
    guard started else {
      _ = log.finish()
      throw StorageError(.unavailable, "the system cannot create another thread")
    }
  }

  /// The thread finishes the queued writes and exits.
  deinit {
    queue.close()
  }

  private static func perform(_ writes: [PendingWrite], on connection: SQLiteConnection, _ log: SQLiteWriteAheadLog) {
    do throws(StorageError) {
      _ = try connection.rows("BEGIN IMMEDIATE")
    } catch {
      return writes.forEach { (write) in write.fail(error) }
    }
    let written = performTogether(writes, on: connection) ? writes : performOneByOne(writes, on: connection)
    for write in written {
      if write.order?.isDurable == true { log.acknowledgeAfterSync(write) } else { write.succeed() }
    }
  }

  /// Runs all writes in one transaction. Returns false, with nothing written, if one of them fails or requests a
  /// rollback.
  private static func performTogether(_ writes: [PendingWrite], on connection: SQLiteConnection) -> Bool {
    do throws(StorageError) {
      let transaction = SQLiteTransaction(connection)
      for write in writes {
        try write.run(transaction)
        guard !transaction.isRollbackRequested else { throw StorageError(.failed, "rolled back on request") }
      }
      _ = try connection.rows("COMMIT")
      return true
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      return false
    }
  }

  /// Runs each write in a savepoint. Fails those that throw and returns the others.
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
          // SQLite may roll back the whole transaction, for example if the disk is full.
          guard connection.isInTransaction else { throw error }
        }
      }
      _ = try connection.rows("COMMIT")
      return written
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      (written + rest).forEach { (write) in write.fail(error) }
      return []
    }
  }
}
