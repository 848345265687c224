// SPDX-License-Identifier: Apache-2.0

package import PasskeyService
internal import PasskeyStorage

extension InterceptedStorage {
  package func readAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogReading) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError> {
    try await intercepted().readAuditLog(body)
  }

  package func sequenceAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError>? {
    try await intercepted().sequenceAuditLog(body)
  }

  package func changeAuditLog<Value: Sendable>(
    _ body: @escaping @Sendable (any AuditLogWriting) throws(ServiceError) -> Value
  ) async throws(StorageError) -> Result<Value, ServiceError> {
    try await intercepted().changeAuditLog(body)
  }

  package func beginAuditLog(_ beginning: AuditLogBeginning) async throws(StorageError) -> Bool {
    try await intercepted().beginAuditLog(beginning)
  }
}
