// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// A write connection and its thread.
///
/// Queued writes share a transaction (group commit). Each runs in its own savepoint, so that one failure does not
/// affect the others, and one COMMIT, the slow part, serves all. A batch that fails before its COMMIT is retried if a
/// retry may help, for example after a deadlock or a lost connection. A COMMIT without a response is never retried.
final class PostgreSQLWriter: Sendable {
  let queue: JobQueue<PendingWrite>

  private static let batchLimit = 128
  private static let waitingLimit = 16_384
  private static let firstPause = Duration.milliseconds(2)

  init(_ configuration: PostgreSQLConfiguration, isSerial: Bool) throws(StorageError) {
    let queue = JobQueue<PendingWrite>(limit: Self.waitingLimit)
    self.queue = queue
    let handover = Handover(PostgreSQLReconnector(configuration, isDurable: isSerial))
    let started = queue.startWorker {
      guard let reconnector = handover.take() else { return }
      while let writes = queue.take(atMost: Self.batchLimit) {
        // Serial writes keep their order of arrival. Free writes are sorted by row, which gives all servers the same
        // lock order.
        let batch =
          isSerial
          ? writes : writes.sorted { (one, other) in (one.row ?? []).lexicographicallyPrecedes(other.row ?? []) }
        Self.perform(batch, isSerial, over: reconnector, until: .now + configuration.reconnectTimeout)
      }
    }
    guard started else { throw StorageError(.unavailable, "the system cannot create another thread") }
  }

  /// The thread finishes the queued writes and exits.
  deinit {
    queue.close()
  }

  private static func perform(
    _ writes: [PendingWrite], _ isSerial: Bool, over reconnector: PostgreSQLReconnector,
    until deadline: ContinuousClock.Instant
  ) {
    var pause = firstPause
    while true {
      do throws(PostgreSQLFailure) {
        let connection = try reconnector.connected(until: deadline)
        let errors = try attempt(writes, isSerial, over: connection)
        for (write, error) in zip(writes, errors) {
          if let error { write.fail(error) } else { write.succeed() }
        }
        return
      } catch {
        reconnector.recover(from: error)
        // Only a commit can fail so: a deferred constraint of one write is broken, and the others are to be committed.
        if error.error.code == .conflict, writes.count > 1 {
          for write in writes { perform([write], isSerial, over: reconnector, until: deadline) }
          return
        }
        guard error.remedy != .none, ContinuousClock.now + pause < deadline else {
          writes.forEach { (write) in write.fail(error.error) }
          return
        }
        SystemThread.sleep(until: .now + pause * Double.random(in: 0.5...1))
        pause *= 2
        // Batches that deadlocked do not deadlock as single statements.
        if error.remedy == .retry, writes.count > 1 {
          for write in writes { perform([write], isSerial, over: reconnector, until: deadline) }
          return
        }
      }
    }
  }

  /// Runs the batch and returns, for each write, its own error or nil.
  private static func attempt(
    _ writes: [PendingWrite], _ isSerial: Bool, over connection: PostgreSQLConnection
  ) throws(PostgreSQLFailure) -> [StorageError?] {
    let transaction = PostgreSQLTransaction(connection)
    try transaction.begin(isSerial: isSerial)
    var errors: [StorageError?] = []
    for write in writes { errors.append(try transaction.attempt(write)) }
    try transaction.commit()
    return errors
  }
}
