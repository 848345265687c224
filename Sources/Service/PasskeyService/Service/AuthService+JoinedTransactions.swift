// SPDX-License-Identifier: Apache-2.0

public import PasskeyStorage

extension AuthService {
  /// Performs an action within a transaction that the embedding server has begun on its own connection. The spending of the
  /// confirmation, the audit records and the notices are committed or rolled back with the server's own writes.
  ///
  ///     // BEGIN and your own statements
  ///     let loan = unsafe storage.borrow(connection)
  ///     try await service.perform(confirmation, by: session, in: context, within: loan) { (transaction) throws(StorageError) in
  ///       try transaction.record(AuditEvent(rawValue: "order.filled"), subject: (kind: "order", name: id))
  ///     }
  ///     // COMMIT at once
  ///
  /// From this call until the transaction ends, it excludes other transactions with own statements on all servers, and work on
  /// the account, such as sign-ins. Call it late in the transaction, and end the transaction at once. A second call in the same transaction can deadlock with other work, and then throws
  /// `storage.contended`.
  ///
  /// - Parameters:
  ///   - confirmation: The confirmation of the action; nil if it needs none.
  ///   - session: The session of the signed-in account, from ``AuthService/authenticate(_:allowing:in:)``.
  ///   - context: The time and origin of the request.
  ///   - outer: The transaction. Do not use its connection until the call returns.
  ///   - body: The action. It runs at most once. If it throws, nothing of this call remains in the transaction.
  /// - Returns: The value of the body.
  /// - Throws: `step-up.required` without a token, `step-up.grant-refused` if the confirmation is spent, expired, or for
  ///   another action or session; `service.configuration-invalid` if the transaction is of another store than this
  ///   service's; or a storage code, also of the body. After `storage.contended`, roll the transaction back and begin it
  ///   again.
  public func perform<Value: Sendable>(
    _ confirmation: PresentedConfirmation?, by session: AuthenticatedSession, in context: CallContext,
    within outer: borrowing LentTransaction,
    _ body: @escaping @Sendable (ServiceTransaction) throws(StorageError) -> Value
  ) async throws(ServiceError) -> Value {
    guard outer.transaction.storage === storage else {
      throw ServiceError(.configurationInvalid, "the transaction is of another store than the service's")
    }
    let grant = try confirmation?.spending(in: session, at: context)
    let audit = try confirmation.map { (confirmation) throws(ServiceError) in
      [try draftOfSpending(confirmation, by: session, in: context)]
    }
    let value = try await stored(
      async: await outer.transaction.transact(
        by: session.account.handle, spending: grant, audit: audit ?? []
      ) {
        [self] (transaction) throws(StorageError) in
        try body(ServiceTransaction(transaction, service: self, session: session, context: context))
      })
    guard let value else {
      // Not awaited, because it can have to wait for the end of the caller's transaction.
      if let confirmation, let grant { Task { await count(confirmation, grant, of: session, in: context) } }
      throw ServiceError(.stepUpGrantRefused)
    }
    return value
  }

  /// Counts and records the refusal of a confirmation in a transaction of the store's own.
  private func count(
    _ confirmation: PresentedConfirmation, _ grant: GrantSpending, of session: AuthenticatedSession,
    in context: CallContext
  ) async {
    _ = try? await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
      // The body runs only if the grant is acceptable by now. Then nothing is committed, and it can be presented again.
      try await transact(by: nil, spending: grant, audit: []) { (_) throws(StorageError) in
        throw StorageError(.contended, "the confirmation was refused in another transaction")
      }
      throw ServiceError(.stepUpGrantRefused)
    }
  }
}
