// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage
internal import WebAuthnTypes

extension AuthService {
  /// Begins to change the address of the signed-in account. It requires a confirmation, which this call spends.
  ///
  /// The present address is informed at once, and both are informed when the change is done. A taken address gets the same
  /// response as a free one, and its owner is informed.
  ///
  /// - Parameters:
  ///   - email: The new address.
  ///   - session: The session of the signed-in account.
  ///   - confirmation: The confirmation of this action.
  ///   - context: The time and origin of the request.
  /// - Returns: The token to present with the code that is mailed to the new address.
  /// - Throws: `account.name-refused` if accounts have no addresses; `account.email-taken` if it is already the address of
  ///   this account; `email.unavailable` if the service sends no mail; `step-up.required` or `step-up.grant-refused`;
  ///   `account.unknown` if the account was erased meanwhile; or a storage code.
  package func changeEmail(
    to email: EmailAddress, by session: AuthenticatedSession, confirmation: PresentedConfirmation,
    in context: CallContext
  ) async throws(ServiceError) -> StartedVerification {
    if policy.identifiers.email == .refused { throw ServiceError(.nameRefused, "an email address is not accepted") }
    try requireMail()
    let account = session.account
    if account.email == email { throw ServiceError(.accountEmailTaken) }
    let grant = try confirmation.spending(in: session, at: context)
    let owner = try await stored(async: await storage.account(.email(email)))
    let (ceremony, started) = try newVerification(
      .addressChange, of: email, for: account.handle, isDecoy: owner != nil,
      payload: context.languagePayload, at: context.time)
    let start = EmailCeremonyStart(
      ceremony, limit: mailLimit(of: email, at: context.time),
      audit: [
        try draftOfSpending(confirmation, by: session, in: context),
        try draft(
          .emailChangeRequested, by: account.handle, of: account.handle, subject: .account(account.handle), in: context),
      ],
      mail: [try mailDraft(of: ceremony, owner: owner, in: context)])
    _ = try await transact(with: confirmation, of: session, in: context) { (storage) throws(StorageError) in
      try await storage.begin(start, spending: grant)
    }
    return started
  }
}
