// SPDX-License-Identifier: Apache-2.0

package import PasskeyStorage
internal import PasskeySystem

/// A database whose statements can fail on demand, and in which another server can commit before the next write.
package final class FaultyDatabase: SQLDatabase {
  private let store: DatabaseStorage
  private let state = Locked(State())

  private struct State: Sendable {
    var error: StorageError?
    var failing: String?
    var interference: (@Sendable (DatabaseStorage) async -> Void)?
    var transactions: [String] = []
  }

  /// Wraps the database of an open store.
  package init(over store: DatabaseStorage) {
    self.store = store
  }

  /// Makes each statement with this text fail with this error from now on, or each transaction; nil ends that.
  package func fail(with error: StorageError?, in text: String? = nil) {
    state.withLock { (state) in
      state.error = error
      state.failing = text
    }
  }

  /// Runs this before each write but a free one; nil ends that.
  package func beforeWrite(_ body: (@Sendable (DatabaseStorage) async -> Void)?) {
    state.withLock { $0.interference = body }
  }

  /// Returns the transactions since the last time, such as `read accounts`: each with the first table of its first statement.
  package func takeTransactions() -> [String] {
    state.withLock { (state) in
      defer { state.transactions = [] }
      return state.transactions
    }
  }

  package func write<Value: Sendable>(
    _ order: WriteOrder, _ body: @escaping @Sendable (any SQLWrite) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    let watch = try begin("write")
    if case .unordered = order {} else { await state.withLock { $0.interference }?(store) }
    return try await store.database.write(order) { (transaction) throws(StorageError) in
      try body(FaultyWrite(transaction, watch))
    }
  }

  package func read<Value: Sendable>(
    snapshot: Bool, _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    let watch = try begin("read")
    return try await store.database.read(snapshot: snapshot) { (transaction) throws(StorageError) in
      try body(FaultyTransaction(transaction, watch))
    }
  }

  package func find<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    let watch = try begin("find")
    return try await store.database.find { (transaction) throws(StorageError) in
      try body(FaultyTransaction(transaction, watch))
    }
  }

  package func check() async throws(StorageError) {
    try begin("check").meet("write_check")
    try await store.database.check()
  }

  package func scrub() async { await store.database.scrub() }

  package func reclaim() async { await store.database.reclaim() }

  package func place(_ transaction: any SQLTransaction) throws(StorageError) -> [UInt8] {
    try store.database.place(transaction)
  }

  package var dialect: SQLDialect { store.database.dialect }

  package func close() async { await store.close() }

  /// Fails if all transactions do. Returns what the transaction tells its statements.
  private func begin(_ kind: String) throws(StorageError) -> Watch {
    let error = state.withLock { (state) in state.failing == nil ? state.error : nil }
    if let error {
      note(kind)
      throw error
    }
    return Watch(self, kind)
  }

  private func note(_ transaction: String) { state.withLock { $0.transactions.append(transaction) } }

  /// Notes a transaction with its first statement, also if its body runs again, and fails statements.
  fileprivate final class Watch: Sendable {
    private let database: FaultyDatabase
    private let kind: String
    private let isNoted = Locked(false)

    init(_ database: FaultyDatabase, _ kind: String) {
      self.database = database
      self.kind = kind
    }

    func meet(_ text: String) throws(StorageError) {
      let isFirst = isNoted.withLock { (isNoted) in
        defer { isNoted = true }
        return !isNoted
      }
      if isFirst {
        let table = text.firstMatch(of: #/(?:FROM|INTO|UPDATE) ([a-z_]+)/#)?.1
        database.note(table.map { (table) in "\(kind) \(table)" } ?? kind)
      }
      let error = database.state.withLock { (state) in
        state.failing.map { (failing) in text.contains(failing) } == true ? state.error : nil
      }
      if let error { throw error }
    }
  }
}

/// A transaction of the database below, whose statements can fail.
private class FaultyTransaction: SQLTransaction {
  private let transaction: any SQLTransaction
  private let watch: FaultyDatabase.Watch

  init(_ transaction: any SQLTransaction, _ watch: FaultyDatabase.Watch) {
    self.transaction = transaction
    self.watch = watch
  }

  func batch(_ statements: [SQLStatement]) throws(StorageError) -> [[SQLRow]] {
    for statement in statements { try watch.meet(statement.text) }
    return try transaction.batch(statements)
  }

  func run(_ statement: SQLStatement) throws(StorageError) {
    try watch.meet(statement.text)
    try transaction.run(statement)
  }
}

private final class FaultyWrite: FaultyTransaction, SQLWrite {
  private let write: any SQLWrite

  init(_ write: any SQLWrite, _ watch: FaultyDatabase.Watch) {
    self.write = write
    super.init(write, watch)
  }

  var dialect: SQLDialect { write.dialect }

  var writesNotices: Bool {
    get { write.writesNotices }
    set { write.writesNotices = newValue }
  }

  func requestRollback() { write.requestRollback() }

  func lock(_ objects: Set<LockedObject>) throws(StorageError) { try write.lock(objects) }
}
