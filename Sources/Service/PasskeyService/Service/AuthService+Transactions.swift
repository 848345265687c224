// SPDX-License-Identifier: Apache-2.0

public import PasskeyStorage
internal import WebAuthnTypes

extension AuthService {
  /// Performs an action of the server that embeds the service in one transaction with the spending of its confirmation, its
  /// audit records and its notices. Either all of it is committed, or nothing.
  ///
  ///     try await service.perform(confirmation, by: session, in: context) { (transaction) throws(StorageError) in
  ///       _ = try transaction.rows("INSERT INTO raptor_orders (id, cents) VALUES ($1, $2)", [.text(id), .integer(cents)])
  ///       try transaction.record(AuditEvent(rawValue: "order.filled"), subject: (kind: "order", name: id))
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
  ///   another action or session; or a storage code, also of the body.
  public func perform<Value: Sendable>(
    _ confirmation: PresentedConfirmation?, by session: AuthenticatedSession, in context: CallContext,
    _ body: @escaping @Sendable (ServiceTransaction) throws(StorageError) -> Value
  ) async throws(ServiceError) -> Value {
    let grant = try confirmation?.spending(in: session, at: context)
    let audit = try confirmation.map { (confirmation) throws(ServiceError) in
      [try draftOfSpending(confirmation, by: session, in: context)]
    }
    return try await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
      let value = try await transact(by: session.account.handle, spending: grant, audit: audit ?? []) {
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
  /// - Throws: A storage code, also of the body.
  public func transact<Value: Sendable>(
    _ body: @escaping @Sendable (any TransactionStatements) throws(StorageError) -> Value
  ) async throws(ServiceError) -> Value {
    guard let value = try await transact(by: nil, spending: nil, audit: [], body) else {
      throw ServiceError(.stepUpGrantRefused)
    }
    return value
  }

  func transact<Value: Sendable>(
    by account: UserHandle?, spending grant: GrantSpending?, audit: [AuditDraft],
    _ body: @escaping @Sendable (any StorageTransaction) throws(StorageError) -> Value
  ) async throws(ServiceError) -> Value? {
    try await stored(async: await storage.transact(by: account, spending: grant, audit: audit, body))
  }
}
