// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import WebAuthnTypes

extension AuthService {
  /// Creates an audit draft of an event, with the client's IP address if it is known, and with the notices that
  /// destinations want.
  ///
  /// The address is attributed to the actor, and without an actor to the account concerned. In the second case it may
  /// be another person's address; it is erased with the account either way.
  func draft(
    _ event: AuditEvent, by actor: UserHandle?, of account: UserHandle?, subject: AuditSubject?,
    outcome: String = AuditDraft.success, details: [String: String] = [:], in context: CallContext
  ) throws(ServiceError) -> AuditDraft {
    var draft = AuditDraft(
      time: context.time, actor: actor, account: account, event: event, subject: subject?.text, outcome: outcome,
      requestID: context.requestID, details: details)
    // Erasing an account must leave no address of its owner, so the record of the erasure gets none.
    if let address = context.sourceAddress, event != .accountErased {
      draft.personalDetails = [
        PersonalDetail(
          name: .address, person: actor ?? account, salt: try random.draw(PersonalDetail.saltByteCount),
          value: address)
      ]
    }
    if !policy.destinations.isEmpty {
      draft.notices = policy.destinations.notices(for: draft)
      for index in draft.notices.indices { draft.notices[index].traceParent = context.traceParent }
    }
    return draft
  }

  /// Performs an action with a confirmation. If the confirmation is refused, because it is spent, forged, or for
  /// another action, records the refusal and rethrows.
  func recordingGrantRefusal<Value>(
    _ confirmation: PresentedConfirmation?, of session: AuthenticatedSession?, in context: CallContext,
    _ body: () async throws(ServiceError) -> Value
  ) async throws(ServiceError) -> Value {
    do throws(ServiceError) {
      return try await body()
    } catch {
      if error.code == .stepUpGrantRefused, let confirmation, let session {
        await recordRefusal(
          .stepUpSpent, of: session.account.handle, by: session.account.handle,
          subject: .action(confirmation.action.digest), error: error, in: context)
      }
      throw error
    }
  }

  /// Runs a store transaction that may spend a confirmation, and throws its refusal.
  func transact<Value>(
    with confirmation: PresentedConfirmation?, of session: AuthenticatedSession?, in context: CallContext,
    _ body: (DatabaseStorage) async throws(StorageError) -> Result<Value, ServiceError>
  ) async throws(ServiceError) -> Value {
    try await recordingGrantRefusal(confirmation, of: session, in: context) { () throws(ServiceError) in
      try await stored(async: await body(storage)).get()
    }
  }

  /// Records a refusal. Ignores errors: nothing else has changed, and the refusal stands even if the store is
  /// read-only.
  ///
  /// If the refusal ends a ceremony, its record spends the ceremony.
  ///
  /// Refusals of unauthenticated clients, which anyone can cause, have a budget (``RefusalBudget``). It does not depend on the account, because
  /// the time of a response would show the difference.
  func recordRefusal(
    _ event: AuditEvent, of account: UserHandle?, by actor: UserHandle? = nil, subject: AuditSubject?,
    error: ServiceError, spending ceremony: CeremonyID? = nil, in context: CallContext
  ) async {
    var omitted = 0
    if actor == nil {
      guard let count = refusalBudget.take(at: context.time) else { return }
      omitted = count
    }
    do throws(ServiceError) {
      let draft = try draft(
        event, by: actor, of: account, subject: subject, outcome: error.innermostCode,
        details: omitted > 0 ? ["omitted": "\(omitted)"] : [:], in: context)
      try await stored(async: await storage.append([draft], spending: ceremony))
    } catch {
      if actor == nil { refusalBudget.restore(omitted: omitted) }
    }
  }

  /// Appends a record of an event that changes nothing else in the store.
  func append(_ draft: AuditDraft) async throws(ServiceError) {
    try await stored(async: await storage.append([draft]))
  }
}
