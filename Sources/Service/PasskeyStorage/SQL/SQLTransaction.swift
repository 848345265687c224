// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A transaction, as seen by the body of a read or a write.
///
/// A body may run more than once if its transaction is retried, so it must have no side effects outside the database.
package protocol SQLTransaction: AnyObject {
  /// Runs statements in one round trip and returns the rows of each.
  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]]

  /// Runs a statement and ignores its result. It may be sent with the next statement that is awaited.
  func run(_ statement: SQLStatement) throws(StorageError)
}

extension SQLTransaction {
  /// Runs a statement and returns its rows.
  package func rows(_ statement: SQLStatement) throws(StorageError) -> [SQLRow] {
    try batch([statement]).first ?? []
  }

  /// Runs a statement that returns at most one row, and returns it.
  package func row(_ statement: SQLStatement) throws(StorageError) -> SQLRow? {
    try rows(statement).first
  }

  package func run(_ statements: [SQLStatement]) throws(StorageError) {
    for statement in statements { try run(statement) }
  }
}

/// A write transaction: all changes of its body are applied, or none.
package protocol SQLWrite: SQLTransaction {
  /// The database's SQL dialect.
  var dialect: SQLDialect { get }

  /// Whether the current body wrote notices, or made some due.
  var writesNotices: Bool { get set }

  /// Rolls back this body's changes when it returns. The other bodies of the batch are not affected.
  func requestRollback()

  /// Locks objects that the order of the write does not name. Another transaction may lock them in another order, so this
  /// can fail with a deadlock; then the write is tried again.
  func lock(_ objects: Set<LockedObject>) throws(StorageError)
}

/// The ordering and durability of a write.
package enum WriteOrder: Sendable {
  /// A single statement that is correct under any concurrency, with the row that it changes. A batch locks its rows in
  /// sorted order, so that batches of two servers do not deadlock. The change is visible to all connections on return,
  /// but not durable: a power failure may undo it unless a later durable write was acknowledged.
  case unordered(row: Bytes)
  /// Work on these objects: it excludes all other work on them, and every ``serial`` write. Durable on return.
  case objects(Set<LockedObject>)
  /// Statements of the embedding server that exclude other such statements: as ``objects(_:)``, but shares no commit with
  /// work of the service.
  case embedded(Set<LockedObject>)
  /// Claims and results of deliveries to a destination: they exclude each other, and every ``serial`` write. Visible but not
  /// durable on return: after a power failure, a notice may be sent again, as after the end of a claim.
  case delivery(destination: String)
  /// Alone, across all servers of the database: what the body reads stays valid until the commit. The write, and every
  /// write before it, is durable on return. All sign-ins wait, so it is for rare work: what an operator does, the start of a
  /// server, and the erasure of an account, which looks for the account in all tables.
  case serial
  /// A change of the audit log, such as a pass of the sequencer. Its body takes or tries the lock of these changes
  /// (``SQLDialect/logLock``). It excludes ``beginning`` writes, but no work on objects. Durable on return.
  case sequencing
  /// The beginning of a log: as ``serial``, and excludes other changes of the log.
  case beginning

  /// Whether the write is durable on return.
  package var isDurable: Bool {
    switch self {
    case .unordered, .delivery: false
    case .objects, .embedded, .serial, .sequencing, .beginning: true
    }
  }

  /// Work that needs no order among writes of this kind. It excludes every ``serial`` write. Durable on return.
  package static let parallel = WriteOrder.objects([])
}
