// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

extension DatabaseStorage: TransactionalStorage {
  /// Checks and spends a grant, runs an embedding server's statements, and appends audit records, in one transaction.
  package func transact<Value: Sendable>(
    by account: UserHandle?, spending grant: GrantSpending?, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value? {
    try await database.write(.embedded(by: account, spending: grant, recording: audit)) {
      (transaction) throws(StorageError) in
      guard try transaction.spend(grant) else { return nil }
      try transaction.record(audit)
      return try transaction.withEmbedded(body)
    }
  }

  /// Performs an action of an embedding server once, and keeps its answer with the spent grant.
  package func transactOnce(
    by account: UserHandle, spending grant: GrantSpending, keepingAnswerUntil end: UnixTime, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> [UInt8]
  ) async throws(StorageError) -> KeptAnswer? {
    try await database.write(.embedded(by: account, spending: grant, recording: audit)) {
      (transaction) throws(StorageError) in
      switch try transaction.present(grant) {
      case .refused, .kept: return nil
      case .repeated(_, let answer): return KeptAnswer(bytes: answer, isRepeated: true)
      case .accepted: break
      }
      try transaction.record(audit)
      let answer = try transaction.withEmbedded(body)
      try transaction.keep(answer, of: grant, until: end)
      return KeptAnswer(bytes: answer, isRepeated: false)
    }
  }

  /// Creates the embedding server's tables.
  package func createEmbeddedTables() async throws(StorageError) {
    guard !embedded.creation.isEmpty else { return }
    try await database.write(.serial) { [embedded] (transaction) throws(StorageError) in
      try transaction.run(embedded.creation.map { (statement) in SQLStatement(statement, isOwn: false) })
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
  /// Calls `body` with this transaction, as an embedding server sees it.
  package func withEmbedded<Value>(
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
