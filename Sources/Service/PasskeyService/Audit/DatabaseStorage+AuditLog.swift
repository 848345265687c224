// SPDX-License-Identifier: Apache-2.0

package import PasskeyStorage

extension DatabaseStorage {
  /// Reads the trail in one snapshot. The body may take long and must not block other transactions.
  ///
  /// - Returns: The value of the body, or its error.
  package func readAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError> {
    try await database.read(snapshot: true) { [dialect = database.dialect] (transaction) throws(StorageError) in
      let log = dialect.log(transaction)
      return try result { () throws(ServiceError) in try body(log) }
    }
  }

  /// Changes the log in one transaction, unless another server is changing it. If the body throws, nothing changes. It may
  /// run again if the transaction is retried.
  ///
  /// - Returns: The value of the body, or its error; nil if another server is changing the log.
  package func sequenceAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError>? {
    try await write(.sequencing) { [dialect = database.dialect] (transaction) throws(StorageError) in
      if let lock = dialect.triedLogLock, try transaction.row(lock)?.integer(0) != 1 { return nil }
      return try dialect.change(transaction, body)
    }
  }

  /// Changes the log as ``sequenceAuditLog(_:)`` does, but waits for a server that is changing it.
  ///
  /// - Returns: The value of the body, or its error.
  package func changeAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError> {
    try await write(.sequencing) { [dialect = database.dialect] (transaction) throws(StorageError) in
      if let lock = dialect.logLock { try transaction.run(lock) }
      return try dialect.change(transaction, body)
    }
  }

  /// Begins an epoch, in one transaction that excludes all others. Records that wait for a place follow its first record.
  ///
  /// - Returns: False, and nothing has changed, if the log has another end than the beginning names.
  package func beginAuditLog(_ beginning: AuditLogBeginning) async throws(StorageError) -> Bool {
    try await write(.beginning) { [dialect = database.dialect] (transaction) throws(StorageError) in
      let log = dialect.log(transaction)
      let epoch = try log.logs().last?.epoch
      let size = try epoch.flatMap { (epoch) throws(StorageError) in
        try log.newestCheckpoint(of: epoch, isCosigned: false)?.size
      }
      guard epoch == beginning.predecessor?.epoch, size == beginning.predecessor?.size else { return false }
      try dialect.begin(beginning, in: transaction)
      return true
    }
  }
}

extension SQLDialect {
  fileprivate func log(_ transaction: some SQLTransaction) -> any AuditLogReading {
    SQLAuditLog(transaction: transaction, dialect: self)
  }

  fileprivate func log(_ transaction: some SQLWrite) -> any AuditLogWriting {
    SQLAuditLog(transaction: transaction, dialect: self)
  }

  fileprivate func change<Value>(
    _ transaction: some SQLWrite, _ body: (any AuditLogWriting) throws(ServiceError) -> Value
  ) throws(StorageError) -> Result<Value, ServiceError> {
    let log: any AuditLogWriting = log(transaction)
    let outcome = try result { () throws(ServiceError) in try body(log) }
    if case .failure = outcome { transaction.requestRollback() }
    return outcome
  }

  /// Begins an epoch in a transaction that has checked the end of the log.
  func begin(_ beginning: AuditLogBeginning, in transaction: some SQLWrite) throws(StorageError) {
    try SQLAuditLog(transaction: transaction, dialect: self).begin(beginning)
  }
}

/// Evaluates a body of the service. Throws the error of the store that made it fail, so that the transaction can be
/// retried.
private func result<Value>(
  of body: () throws(ServiceError) -> Value
) throws(StorageError) -> Result<Value, ServiceError> {
  do throws(ServiceError) {
    return .success(try body())
  } catch {
    if case .storage(let error)? = error.cause { throw error }
    return .failure(error)
  }
}
