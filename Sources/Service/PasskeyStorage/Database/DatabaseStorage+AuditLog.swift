// SPDX-License-Identifier: Apache-2.0

package import PasskeyService

extension DatabaseStorage {
  /// Reads the audit trail in one snapshot.
  package func readAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError> {
    try await database.read(snapshot: true) { [dialect = database.dialect] (transaction) throws(StorageError) in
      let log = dialect.log(transaction)
      return try Result { () throws(ServiceError) in try body(log) }
    }
  }

  /// Changes the audit log, unless another server of the database is changing it.
  package func sequenceAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError>? {
    try await database.write(.sequencing) { [dialect = database.dialect] (transaction) throws(StorageError) in
      if let lock = dialect.triedLogLock, try transaction.row(lock)?.integer(0) != 1 { return nil }
      return try dialect.change(transaction, body)
    }
  }

  /// Changes the audit log, after another server of the database that is changing it.
  package func changeAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError> {
    try await database.write(.sequencing) { [dialect = database.dialect] (transaction) throws(StorageError) in
      if let lock = dialect.logLock { try transaction.run(lock) }
      return try dialect.change(transaction, body)
    }
  }

  /// Begins an epoch of the audit log. Returns false if the log has another end than the beginning names.
  package func beginAuditLog(_ beginning: AuditLogBeginning) async throws(StorageError) -> Bool {
    try await database.write(.beginning) { [dialect = database.dialect] (transaction) throws(StorageError) in
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
    let result = try Result { () throws(ServiceError) in try body(log) }
    if case .failure = result { transaction.requestRollback() }
    return result
  }

  /// Begins an epoch in a transaction that has checked the end of the log.
  func begin(_ beginning: AuditLogBeginning, in transaction: some SQLWrite) throws(StorageError) {
    try SQLAuditLog(transaction: transaction, dialect: self).begin(beginning)
  }
}

extension Result where Failure == ServiceError {
  /// Evaluates a body of the service. Throws the error of the store that made it fail, so that the transaction can be
  /// retried.
  init(_ body: () throws(ServiceError) -> Success) throws(StorageError) {
    do throws(ServiceError) {
      self = .success(try body())
    } catch {
      if case .storage(let error)? = error.cause { throw error }
      self = .failure(error)
    }
  }
}
