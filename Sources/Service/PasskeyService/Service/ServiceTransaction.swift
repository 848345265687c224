// SPDX-License-Identifier: Apache-2.0

public import PasskeyStorage

/// A transaction of an embedding server's action (``AuthService/perform(_:by:in:_:)``).
public struct ServiceTransaction {
  private let transaction: any StorageTransaction
  private let service: AuthService
  private let session: AuthenticatedSession
  private let context: CallContext

  init(
    _ transaction: any StorageTransaction, service: AuthService, session: AuthenticatedSession, context: CallContext
  ) {
    self.transaction = transaction
    self.service = service
    self.session = session
    self.context = context
  }

  /// Runs a statement and returns its rows. See ``TransactionStatements/rows(_:_:)``.
  ///
  /// - Throws: A ``/PasskeyStorage/StorageError`` if the statement fails.
  public func rows(_ statement: String, _ values: [StorageValue] = []) throws(StorageError) -> [[StorageValue]] {
    try transaction.rows(statement, values)
  }

  /// Records an event in the audit trail, and writes its notices. See ``AuthService/record(_:by:subject:outcome:details:in:)``.
  public func record(
    _ event: AuditEvent, subject: (kind: String, name: String)? = nil, outcome: String = "ok",
    details: [String: String] = [:]
  ) throws(StorageError) {
    let handle = session.account.handle
    let draft: AuditDraft
    do throws(ServiceError) {
      draft = try service.draft(
        event, by: handle, of: handle, subject: AuditSubject(subject), outcome: outcome, details: details, in: context)
    } catch {
      throw StorageError(.failed, "\(error)")
    }
    try transaction.record([draft])
  }

  /// Writes notices that belong to no audit record, for each destination that wants them.
  public func enqueue(_ notices: [Notice]) throws(StorageError) {
    try transaction.enqueue(service.policy.destinations.routes(notices))
  }
}
