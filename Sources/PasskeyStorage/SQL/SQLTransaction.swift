// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WireFormats

/// What the body of a read or a write may ask of the database that it runs in.
///
/// A body may run more than once, where a transaction has to be tried again: it has no effect but in the database.
protocol SQLTransaction: AnyObject {
  /// The rows that each of several statements answers with. They go to the database together.
  func answers(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]]

  /// A statement whose answer nobody looks at. It may go with the next that is waited for.
  func run(_ statement: SQLStatement) throws(StorageError)
}

extension SQLTransaction {
  /// The rows that a statement answers with.
  func rows(_ statement: SQLStatement) throws(StorageError) -> [SQLRow] {
    try answers([statement]).first ?? []
  }

  /// The only row that a statement can answer with, if it does.
  func row(_ statement: SQLStatement) throws(StorageError) -> SQLRow? {
    try rows(statement).first
  }

  func run(_ statements: [SQLStatement]) throws(StorageError) {
    for statement in statements { try run(statement) }
  }
}

/// A write: everything that its body does, or nothing.
protocol SQLWrite: SQLTransaction {
  /// The end of the audit trail, which nobody else can append to before this transaction ends. Only a
  /// ``WriteOrder/serial`` write has it.
  func auditEnd() throws(StorageError) -> AuditEnd

  /// Moves the end of the audit trail.
  func setAuditEnd(_ end: AuditEnd)

  /// Takes back what this body has written when it returns; the others of its batch are kept.
  func takeBack()
}

/// How a write stands to others.
enum WriteOrder: Sendable {
  /// A statement that is right whatever others do at the same time, and the row that it changes: writes of a batch take
  /// their rows in one order, so that two servers' batches never wait for each other. Everybody sees what it did when it
  /// returns, but the disk is not waited for: a failure of the power may undo it, as long as nothing serial that came later
  /// was acknowledged.
  case free(row: Bytes)
  /// One after the other, over all servers of the database: what the body has read stays true until it is committed. It is
  /// on the disk when it returns, and so is everything before it.
  case serial
}
