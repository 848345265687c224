// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import SystemIO

/// A connection that writes, and the thread that it belongs to.
///
/// Writes that wait are done together: each in a savepoint of its own, so that one that fails takes nothing of the others
/// with it, and one COMMIT, which is what takes time, for all of them. What fails before that is tried again where it may
/// succeed then: a deadlock, a server that went away. A commit that was not answered never is.
final class PostgreSQLWriter: Sendable {
  let queue: JobQueue<PendingWrite>

  private static let batchLimit = 128
  private static let waitingLimit = 16_384
  private static let firstPause = Duration.milliseconds(2)

  init(_ configuration: PostgreSQLConfiguration, isSerial: Bool) throws(StorageError) {
    let queue = JobQueue<PendingWrite>(limit: Self.waitingLimit)
    self.queue = queue
    let handover = Handover(PostgreSQLLink(configuration, isDurable: isSerial))
    let started = queue.startWorker {
      guard let link = handover.take() else { return }
      while let writes = queue.take(atMost: Self.batchLimit) {
        // Serial writes stay in the order in which they came; the others take their rows in an order of their own.
        let batch =
          isSerial
          ? writes : writes.sorted { (one, other) in (one.row ?? []).lexicographicallyPrecedes(other.row ?? []) }
        Self.perform(batch, isSerial, over: link, until: .now + configuration.patience)
      }
    }
    guard started else { throw StorageError(.unavailable, "the system has no thread left") }
  }

  /// The threads finish what is waiting, and end.
  deinit {
    queue.close()
  }

  private static func perform(
    _ writes: [PendingWrite], _ isSerial: Bool, over link: PostgreSQLLink,
    until deadline: ContinuousClock.Instant
  ) {
    var pause = firstPause
    while true {
      do throws(PostgreSQLFailure) {
        let connection = try link.connected(until: deadline)
        let errors = try attempt(writes, isSerial, over: connection)
        for (write, error) in zip(writes, errors) {
          if let error { write.fail(error) } else { write.succeed() }
        }
        return
      } catch {
        link.recover(from: error)
        guard error.remedy != .none, ContinuousClock.now + pause < deadline else {
          writes.forEach { (write) in write.fail(error.error) }
          return
        }
        SystemThread.sleep(until: .now + pause * Double.random(in: 0.5...1))
        pause *= 2
        // Who waited for each other as batches does not as single statements.
        if error.remedy == .again, writes.count > 1 {
          for write in writes { perform([write], isSerial, over: link, until: deadline) }
          return
        }
      }
    }
  }

  /// Runs the batch, and gives for each write the error with which it failed by itself.
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
