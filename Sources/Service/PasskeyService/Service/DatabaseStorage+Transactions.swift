// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyStorage
package import WebAuthnTypes

extension DatabaseStorage {
  /// Checks and spends a grant, runs `body`, appends the audit records, and commits all of it together.
  ///
  /// - Parameters:
  ///   - account: The account that acts; nil for none. No other work on it runs meanwhile.
  ///   - grant: The grant; nil if the action needs none.
  ///   - audit: The audit drafts, appended before the body runs.
  ///   - body: The statements. It can run more than once, if the transaction is retried, so it must have no effect outside
  ///     the transaction. If it throws, nothing is committed, and the grant is not spent.
  /// - Returns: The value of the body; nil if the grant was refused.
  /// - Throws: A ``StorageError`` if the store fails.
  package func transact<Value: Sendable>(
    by account: UserHandle?, spending grant: GrantSpending?, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value? {
    try await write(.embedded(by: account, spending: grant, recording: audit)) {
      (transaction) throws(StorageError) in
      try transaction.act(spending: grant, audit, body)
    }
  }

  /// Performs an action as ``transact(by:spending:audit:_:)``, and keeps its answer with the spent grant. If the grant was
  /// spent on the same action before, and its answer is kept, changes nothing.
  ///
  /// - Parameters:
  ///   - account: The account that acts. No other work on it runs meanwhile.
  ///   - grant: The grant.
  ///   - end: The time until which the answer is kept. It ends earlier with the session.
  ///   - audit: The audit drafts, appended before the body runs.
  ///   - body: The statements. Returns the answer.
  /// - Returns: The answer of this request or of the earlier one; nil if the grant was refused.
  /// - Throws: A ``StorageError`` if the store fails.
  package func transactOnce(
    by account: UserHandle, spending grant: GrantSpending, keepingAnswerUntil end: UnixTime, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> [UInt8]
  ) async throws(StorageError) -> SpentConfirmation.KeptAnswer? {
    try await write(.embedded(by: account, spending: grant, recording: audit)) {
      (transaction) throws(StorageError) in
      switch try transaction.present(grant) {
      case .refused, .kept: return nil
      case .repeated(_, let answer): return SpentConfirmation.KeptAnswer(bytes: answer, isRepeated: true)
      case .accepted: break
      }
      try transaction.record(audit)
      let answer = try transaction.withEmbedded(body)
      try transaction.keep(answer, of: grant, until: end)
      return SpentConfirmation.KeptAnswer(bytes: answer, isRepeated: false)
    }
  }
}

extension JoinableTransaction {
  /// Checks and spends a grant, runs `body`, appends the audit records, and commits all of it together.
  ///
  /// - Parameters:
  ///   - account: The account that acts; nil for none. No other work on it runs meanwhile.
  ///   - grant: The grant; nil if the action needs none.
  ///   - audit: The audit drafts, appended before the body runs.
  ///   - body: The statements. It can run more than once, if the transaction is retried, so it must have no effect outside
  ///     the transaction. If it throws, nothing is committed, and the grant is not spent.
  /// - Returns: The value of the body; nil if the grant was refused.
  /// - Throws: A ``StorageError`` if the store fails.
  package func transact<Value: Sendable>(
    by account: UserHandle?, spending grant: GrantSpending?, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value? {
    try await join(.embedded(by: account, spending: grant, recording: audit)) { (transaction) throws(StorageError) in
      try transaction.act(spending: grant, audit, body)
    }
  }
}

extension EmbeddedTables {
  /// Statements that delete the account's rows.
  func erasure(of handle: UserHandle) -> [SQLStatement] {
    erasure.map { (statement) in SQLStatement(statement, [.opaque(handle)], isOwn: false) }
  }
}

extension SQLWrite {
  /// Spends a grant, appends the records and calls `body`. Returns nil if the grant is refused.
  func act<Value>(
    spending grant: GrantSpending?, _ audit: [AuditDraft],
    _ body: (any StorageTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value? {
    guard try spend(grant) else { return nil }
    try record(audit)
    return try withEmbedded(body)
  }

  /// Calls `body` with this transaction, as an embedding server sees it.
  fileprivate func withEmbedded<Value>(
    _ body: (any StorageTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    let embedded = EmbeddedTransaction(self)
    defer { embedded.end() }
    return try body(embedded)
  }
}

/// A transaction, as an embedding server sees it. It throws if it is used after its body has returned.
private final class EmbeddedTransaction: StorageTransaction {
  private var transaction: (any SQLWrite)?

  init(_ transaction: any SQLWrite) {
    self.transaction = transaction
  }

  func rows(_ statement: String, _ values: [StorageValue]) throws(StorageError) -> [[StorageValue]] {
    try open().rows(SQLStatement(statement, values.map(SQLValue.init), isOwn: false)).map { (row) in
      row.values.map(StorageValue.init)
    }
  }

  func record(_ drafts: [AuditDraft]) throws(StorageError) {
    let transaction = try open()
    try transaction.lock(drafts.locks)
    try transaction.record(drafts)
  }

  func enqueue(_ notices: [RoutedNotice]) throws(StorageError) {
    let transaction = try open()
    try transaction.lock(notices.locks)
    try transaction.enqueue(notices)
  }

  func end() { transaction = nil }

  private func open() throws(StorageError) -> any SQLWrite {
    guard let transaction else { throw StorageError(.failed, "the transaction has ended") }
    return transaction
  }
}

extension SQLValue {
  fileprivate init(_ value: StorageValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .text(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes[...])
    }
  }
}

extension StorageValue {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .text(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(Array(bytes))
    }
  }
}
