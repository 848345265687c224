// SPDX-License-Identifier: Apache-2.0

public import PasskeyService

extension MemoryStorage {
  /// Reads the audit trail.
  public func readAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) throws(StorageError) -> Result<Value, ServiceError> {
    let log = MemoryAuditLog(trail)
    return try Result { () throws(ServiceError) in try body(log) }
  }

  /// Changes the audit log.
  public func sequenceAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) throws(StorageError) -> Result<Value, ServiceError>? {
    let log = MemoryAuditLog(trail)
    let result = try Result { () throws(ServiceError) in try body(log) }
    if case .success = result { trail = log.trail }
    return result
  }

  /// Begins an epoch of the audit log. Returns false if the trail has another end than expected.
  public func beginAuditLog(_ beginning: AuditLogBeginning) throws(StorageError) -> Bool {
    let log = MemoryAuditLog(trail)
    guard log.begin(beginning) else { return false }
    trail = log.trail
    return true
  }
}
