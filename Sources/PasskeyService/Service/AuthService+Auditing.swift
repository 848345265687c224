// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

extension AuthService {
  /// Describes what happens, with the address from which it was asked for, if that is known.
  ///
  /// The address is the actor's. Where nobody was signed in it is taken for the account's: it may be a stranger's, and goes
  /// with the account in either case.
  func draft(
    _ event: AuditEvent, by actor: UserHandle?, of account: UserHandle?, subject: AuditSubject?,
    outcome: String = AuditDraft.success, details: [String: String] = [:], in context: RequestContext
  ) throws(ServiceError) -> AuditDraft {
    var draft = AuditDraft(
      time: context.time, actor: actor, account: account, event: event, subject: subject?.text, outcome: outcome,
      requestID: context.requestID, details: details, key: auditKey)
    // Erasing an account leaves no address of its owner behind, so its record does not get one first.
    if let address = context.sourceAddress, event != .accountErased {
      draft.personalDetails = [
        PersonalDetail(
          name: .address, person: actor ?? account, salt: try random.draw(PersonalDetail.saltByteCount),
          value: address)
      ]
    }
    return draft
  }

  /// Does something with a confirmation, and records where that is not for it: it was spent before, made up, or granted for
  /// something else.
  func watching<Answer>(
    _ confirmation: PresentedConfirmation?, of session: AuthenticatedSession?, in context: RequestContext,
    _ act: () async throws(ServiceError) -> Answer
  ) async throws(ServiceError) -> Answer {
    do throws(ServiceError) {
      return try await act()
    } catch {
      if error.code == .stepUpGrantRefused, let confirmation, let session {
        await recordRefusal(
          .stepUpSpent, of: session.account.handle, by: session.account.handle,
          subject: .action(confirmation.action.digest), error: error, in: context)
      }
      throw error
    }
  }

  /// Asks the store for an act, with this floor's error where it is refused.
  func act<Outcome: ConfirmedOutcome>(
    with confirmation: PresentedConfirmation?, of session: AuthenticatedSession?, in context: RequestContext,
    _ question: (any Storage) async throws(StorageError) -> Outcome
  ) async throws(ServiceError) -> Outcome {
    try await watching(confirmation, of: session, in: context) { () throws(ServiceError) in
      let outcome = try await ask(question)
      if let code = outcome.refusal { throw ServiceError(code) }
      return outcome
    }
  }

  /// Records that something was refused. Nothing has changed, so a store that cannot be written to changes nothing about
  /// the refusal.
  func recordRefusal(
    _ event: AuditEvent, of account: UserHandle?, by actor: UserHandle? = nil, subject: AuditSubject?,
    error: ServiceError, in context: RequestContext
  ) async {
    let draft = try? draft(
      event, by: actor, of: account, subject: subject, outcome: error.innermostCode, in: context)
    if let draft { try? await append(draft) }
  }

  /// Records something with which nothing else changes.
  func append(_ draft: AuditDraft) async throws(ServiceError) {
    try await ask { (storage) throws(StorageError) in try await storage.append([draft]) }
  }
}
