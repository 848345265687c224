// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage

/// The read connections, each with its own thread. In WAL mode, readers and writers do not block each other.
final class SQLiteReaders: Sendable {
  let queue: JobQueue<PendingRead>

  private static let waitingLimit = 16_384

  /// 16 reads  [larger transactions gain little, and short reads would wait behind a long one]
  private static let batchLimit = 16

  init(_ connections: [SQLiteConnection]) throws(StorageError) {
    let queue = JobQueue<PendingRead>(limit: Self.waitingLimit)
    self.queue = queue
    for handover in connections.map({ (connection) in Handover(connection) }) {
      let started = queue.startWorker {
        guard let connection = handover.take() else { return }
        while let reads = queue.take(atMost: Self.batchLimit) { Self.perform(reads, on: connection) }
      }
      guard started else {
        queue.close()
        throw StorageError(.unavailable, "the system cannot create another thread")
      }
    }
  }

  /// The threads finish the queued reads and exit.
  deinit {
    queue.close()
  }

  /// Runs a batch of reads in one transaction, whose snapshot is newer than every request. Sharing a transaction
  /// preserves the page cache: a connection discards it if another one has committed since its last transaction.
  private static func perform(_ reads: [PendingRead], on connection: SQLiteConnection) {
    var rest = reads[...]
    do throws(StorageError) {
      _ = try connection.rows("BEGIN")
      let transaction = SQLiteTransaction(connection)
      while let read = rest.first {
        do throws(StorageError) {
          try read.run(transaction)
          rest = rest.dropFirst()
          read.succeed()
        } catch {
          rest = rest.dropFirst()
          read.fail(error)
          guard connection.isInTransaction else { throw error }
        }
      }
      _ = try connection.rows("COMMIT")
    } catch {
      if connection.isInTransaction { _ = try? connection.rows("ROLLBACK") }
      rest.forEach { (read) in read.fail(error) }
    }
  }
}
