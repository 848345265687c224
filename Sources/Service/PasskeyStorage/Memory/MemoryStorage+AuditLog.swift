// SPDX-License-Identifier: Apache-2.0

package import PasskeyService

extension MemoryStorage {
  /// Reads the audit trail.
  package func readAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) throws(StorageError) -> Result<Value, ServiceError> {
    let log = MemoryAuditLog(trail)
    return try Result { () throws(ServiceError) in try body(log) }
  }

  /// Changes the audit log.
  package func sequenceAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) throws(StorageError) -> Result<Value, ServiceError>? {
    try changeAuditLog(body)
  }

  /// Changes the audit log.
  package func changeAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) throws(StorageError) -> Result<Value, ServiceError> {
    let log = MemoryAuditLog(trail)
    let result = try Result { () throws(ServiceError) in try body(log) }
    if case .success = result { trail = log.trail }
    return result
  }

  /// Begins an epoch of the audit log. Returns nil if the trail has another end than the beginning names.
  package func beginAuditLog(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> AuditLogBeginning
  ) throws(StorageError) -> Result<AuditLog, ServiceError>? {
    let log = MemoryAuditLog(trail)
    let result = try Result { () throws(ServiceError) in try body(log) }
    guard case .success(let beginning) = result else { return result.map(\.log) }
    guard log.begin(beginning) else { return nil }
    trail = log.trail
    return .success(beginning.log)
  }
}
