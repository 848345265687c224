// SPDX-License-Identifier: Apache-2.0

extension AuthService {
  /// Performs an action of the server that embeds the service in one transaction with the spending of its confirmation, its
  /// audit records and its notices. Either all of it is committed, or nothing.
  ///
  ///     let order = try await service.perform(confirmation, by: session, in: context) { (transaction) throws(StorageError) in
  ///       _ = try transaction.rows("INSERT INTO raptor_orders (id, cents) VALUES ($1, $2)", [.text(id), .integer(cents)])
  ///       try transaction.record(AuditEvent(rawValue: "order.filled"), subject: .other(kind: "order", name: id))
  ///     }
  ///
  /// - Parameters:
  ///   - confirmation: The confirmation of the action; nil if it needs none.
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:allowing:in:)``.
  ///   - context: The time and origin of the request.
  ///   - body: The action. It can run more than once, if the transaction is retried, so it must have no effect outside the
  ///     transaction. If it throws, nothing is committed, and the confirmation is not spent.
  /// - Returns: The value of the body.
  /// - Throws: `step-up.required` without a token, `step-up.grant-refused` if the confirmation is spent, expired, or for
  ///   another action or session; `service.configuration-invalid` if the store is in memory; or a storage code, also of the
  ///   body.
  public func perform<Value: Sendable>(
    _ confirmation: PresentedConfirmation?, by session: AuthenticatedSession, in context: RequestContext,
    _ body: @escaping @Sendable (ServiceTransaction) throws(StorageError) -> Value
  ) async throws(ServiceError) -> Value {
    let grant = try confirmation?.spending(in: session, at: context)
    let audit = try confirmation.map { (confirmation) throws(ServiceError) in
      [try draftOfSpending(confirmation, by: session, in: context)]
    }
    return try await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
      let value = try await transact(spending: grant, audit: audit ?? []) {
        [self] (transaction) throws(StorageError) in
        try body(ServiceTransaction(transaction, service: self, session: session, context: context))
      }
      guard let value else { throw ServiceError(.stepUpGrantRefused) }
      return value
    }
  }

  /// Runs statements of the server that embeds the service in one transaction of the store.
  ///
  /// - Parameter body: The statements. They can run more than once, if the transaction is retried. If it throws, nothing is
  ///   committed.
  /// - Returns: The value of the body.
  /// - Throws: `service.configuration-invalid` if the store is in memory; or a storage code, also of the body.
  public func transact<Value: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(ServiceError) -> Value {
    guard let value = try await transact(spending: nil, audit: [], body) else {
      throw ServiceError(.stepUpGrantRefused)
    }
    return value
  }

  func transact<Value: Sendable>(
    spending grant: GrantSpending?, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(ServiceError) -> Value? {
    guard let store = storage as? any TransactionalStorage else {
      throw ServiceError(.configurationInvalid, "transactions with own statements require a database")
    }
    do throws(StorageError) {
      return try await store.transact(spending: grant, audit: audit, body)
    } catch {
      throw ServiceError(error)
    }
  }
}

/// A transaction of an embedding server's action (``AuthService/perform(_:by:in:_:)``).
public struct ServiceTransaction {
  private let transaction: any StorageTransaction
  private let service: AuthService
  private let session: AuthenticatedSession
  private let context: RequestContext

  init(
    _ transaction: any StorageTransaction, service: AuthService, session: AuthenticatedSession, context: RequestContext
  ) {
    self.transaction = transaction
    self.service = service
    self.session = session
    self.context = context
  }

  /// Runs a statement and returns its rows (``StorageTransaction/rows(_:_:)``).
  public func rows(_ statement: String, _ values: [StorageValue] = []) throws(StorageError) -> [[StorageValue]] {
    try transaction.rows(statement, values)
  }

  /// Records an event in the audit trail, and writes its notices. See ``AuthService/record(_:by:subject:outcome:details:in:)``.
  public func record(
    _ event: AuditEvent, subject: AuditSubject?, outcome: String = AuditDraft.success, details: [String: String] = [:]
  ) throws(StorageError) {
    let handle = session.account.handle
    let draft: AuditDraft
    do throws(ServiceError) {
      draft = try service.draft(
        event, by: handle, of: handle, subject: subject, outcome: outcome, details: details, in: context)
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
