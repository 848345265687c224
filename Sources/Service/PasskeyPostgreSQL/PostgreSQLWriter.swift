// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import PasskeySystem

/// Write connections, each with its own thread, for writes of one kind.
///
/// Queued writes share a transaction (group commit), because its COMMIT is the slow part. If one of them fails or
/// requests a rollback, all are rolled back, and each runs in a transaction of its own. Savepoints, which would confine
/// a failure to its write, cost each write two statements, and few writes fail.
///
/// A transaction that fails before its COMMIT is retried if a retry may help, for example after a deadlock or a lost
/// connection. A COMMIT without a response is never retried.
final class PostgreSQLWriter: Sendable {
  let queue: JobQueue<PendingWrite>

  /// The writes that share a queue.
  enum Kind {
    /// ``WriteOrder/unordered(row:)``
    case free
    /// ``WriteOrder/objects(_:)``
    case shared
    /// ``WriteOrder/delivery(_:)``
    case delivering
    /// ``WriteOrder/serial`` and ``WriteOrder/embedded(_:)``
    case serial
    /// ``WriteOrder/sequencing`` and ``WriteOrder/beginning``
    case sequencing

    fileprivate var isDurable: Bool {
      switch self {
      case .free, .delivering: false
      case .shared, .serial, .sequencing: true
      }
    }

    /// 128 writes  [larger transactions gain little and delay their first write]; 32 of the service with locks of objects
    /// [the server has room for some thousand locks]; one that sequences or begins a log  [each needs the lock of passes]
    fileprivate var batchLimit: Int {
      switch self {
      case .free, .delivering, .serial: 128
      case .shared: 32
      case .sequencing: 1
      }
    }

    /// Parts the writes into batches. Sign-ins wait for a serial write, so it shares no batch with statements of the
    /// embedding server.
    fileprivate func batches(of writes: [PendingWrite]) -> [[PendingWrite]] {
      switch self {
      case .free: [writes.sortedByRow]
      case .serial: [writes.filter(\.isSerial), writes.filter { !$0.isSerial }].filter { !$0.isEmpty }
      case .shared, .delivering, .sequencing: [writes]
      }
    }
  }

  private static let waitingLimit = 16_384
  private static let firstPause = Duration.milliseconds(2)

  init(
    _ configuration: PostgreSQLConfiguration, _ kind: Kind, connectionCount: Int = 1
  ) throws(StorageError) {
    let queue = JobQueue<PendingWrite>(limit: Self.waitingLimit)
    self.queue = queue
    let backOff = PostgreSQLBackOff()
    for _ in 0..<max(1, connectionCount) {
      let handover = Handover(PostgreSQLReconnector(configuration, backOff, isDurable: kind.isDurable))
      let started = queue.startWorker {
        guard let reconnector = handover.take() else { return }
        while let writes = queue.take(atMost: kind.batchLimit) {
          for batch in kind.batches(of: writes) {
            Self.perform(batch, over: reconnector, until: .now + configuration.reconnectTimeout)
          }
        }
      }
      guard started else {
        queue.close()
        throw StorageError(.unavailable, "the system cannot create another thread")
      }
    }
  }

  /// The threads finish the queued writes and exit.
  deinit {
    queue.close()
  }

  private static func perform(
    _ writes: [PendingWrite], over reconnector: PostgreSQLReconnector, until deadline: ContinuousClock.Instant
  ) {
    var pause = firstPause
    while true {
      do throws(PostgreSQLFailure) {
        try attempt(writes, over: reconnector.connected(until: deadline))
        return writes.forEach { (write) in write.succeed() }
      } catch {
        reconnector.recover(from: error)
        let mayRetry = error.remedy != .none && ContinuousClock.now + pause < deadline
        if mayRetry {
          SystemThread.sleep(until: .now + pause * Double.random(in: 0.5...1))
          pause *= 2
        }
        // The failure may be that of one write. Batches that deadlocked do not deadlock as single writes.
        if writes.count > 1, error.remedy != .reconnect, error.error.code != .outcomeUnknown,
          ContinuousClock.now < deadline
        {
          return writes.forEach { (write) in perform([write], over: reconnector, until: deadline) }
        }
        guard mayRetry else { return writes.forEach { (write) in write.fail(error.error) } }
      }
    }
  }

  /// Commits the writes in one transaction.
  private static func attempt(
    _ writes: [PendingWrite], over connection: PostgreSQLConnection
  ) throws(PostgreSQLFailure) {
    let locks = PostgreSQLLocks.statements(for: writes.map(\.order))
    let closed = writes.compactMap(\.closed)
    guard closed.count < writes.count else {
      var answers = try connection.commit(locks + closed.flatMap(\.statements)).dropFirst(locks.count)
      for write in closed {
        write.accept(answers.prefix(write.statements.count))
        answers = answers.dropFirst(write.statements.count)
      }
      return
    }
    let transaction = PostgreSQLTransaction(connection)
    transaction.begin(locks)
    for write in writes {
      try transaction.perform(write)
      guard transaction.isRollbackRequested else { continue }
      guard writes.count == 1 else { throw PostgreSQLFailure(StorageError(.failed, "rolled back on request"), .none) }
      return try connection.rollBack()
    }
    try connection.commit()
  }
}

extension [PendingWrite] {
  /// The writes ordered by their rows. All servers lock rows in this order.
  fileprivate var sortedByRow: Self {
    func row(_ write: PendingWrite) -> ArraySlice<UInt8> {
      if case .unordered(let row)? = write.order { row } else { [] }
    }
    return count > 1 ? sorted { (one, other) in row(one).lexicographicallyPrecedes(row(other)) } : self
  }
}

extension PendingWrite {
  fileprivate var isSerial: Bool {
    if case .serial? = order { true } else { false }
  }
}
