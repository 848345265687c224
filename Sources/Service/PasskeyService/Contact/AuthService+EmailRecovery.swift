// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

extension AuthService {
  /// Requests a recovery code by mail, for a user who has lost all passkeys. The code registers another one
  /// (``beginRegistration(_:code:binding:hints:in:)-(AccountNames,_,_,_,_)``) once the waiting period is over.
  ///
  /// Every address gets the same response after the same work. Only an active account gets a mail: to its verified
  /// address, or to any if addresses are not verified. While a recovery is pending, further requests send nothing. The
  /// audit trail has the reason why no mail is sent.
  ///
  /// - Throws: `account.recovery-unavailable` if the policy leaves recovery to administrators; or a storage code.
  package func requestRecovery(of email: EmailAddress, in context: CallContext) async throws(ServiceError) {
    guard case .email(let waiting) = policy.contact.recovery else { throw ServiceError(.recoveryUnavailable) }
    let owner = try await stored(async: await storage.account(.email(email)))
    let refusal = recoveryRefusal(of: owner)
    let account = refusal == nil ? owner?.handle : nil
    let id = try EmailCeremonyID(at: context.time, random: random)
    let start = context.time + waiting
    // An unknown address is another person's data, so it is not kept for long. Its code is a decoy, which takes the same
    // work: no mail contains it, and without an account it is never correct.
    let expiry = account == nil ? context.time + policy.contact.codeLifetime : start + policy.recoveryLifetime
    let code = IssuedCode(
      digest: recoveryCode(id).digest, purpose: .recovery, account: account, created: context.time, notBefore: start,
      expiry: expiry)
    let ceremony = EmailCeremony(
      id: id, purpose: .recovery, token: cancellationCode(id).digest, account: account, email: email,
      isDecoy: account == nil, payload: context.languagePayload, created: context.time, notBefore: start, expiry: expiry
    )
    var requested = try draft(
      .recoveryRequested, by: nil, of: owner?.handle, subject: .emailCeremony(id),
      outcome: refusal?.rawValue ?? AuditDraft.success, in: context)
    for index in requested.notices.indices { requested.notices[index].namesAccount = account != nil }
    let recovery = EmailCeremonyStart(ceremony, code: code, limit: nil, mail: [requested])
    // An account that is closed meanwhile gets the same answer.
    _ = try await stored(async: await storage.begin(recovery))
  }

  /// Cancels the pending recovery of the signed-in account. It requires no confirmation, because it can be urgent.
  ///
  /// - Throws: `account.recovery-unknown` if no recovery is pending; or a storage code.
  package func cancelRecovery(
    by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) {
    let handle = session.account.handle
    try await cancelRecovery(of: handle, by: handle, subject: .account(handle), in: context)
  }

  /// Cancels a pending recovery with the cancellation code from its mail, without a session.
  ///
  /// - Throws: `account.recovery-unknown` if the code is wrong, or no recovery is pending; or a storage code.
  package func cancelRecovery(_ code: OneTimeCode, in context: CallContext) async throws(ServiceError) {
    let found = try await stored(async: await storage.emailCeremony(token: code.digest))
    guard let found, found.purpose == .recovery, let handle = found.account else {
      throw ServiceError(.recoveryUnknown)
    }
    try await cancelRecovery(of: handle, by: nil, subject: .emailCeremony(found.id), in: context)
  }

  private func cancelRecovery(
    of handle: UserHandle, by actor: UserHandle?, subject: AuditSubject, in context: CallContext
  ) async throws(ServiceError) {
    let audit = [try draft(.recoveryCancelled, by: actor, of: handle, subject: subject, in: context)]
    let wasPending = try await stored(async: await storage.cancelRecovery(of: handle, at: context.time, audit: audit))
    guard wasPending else { throw ServiceError(.recoveryUnknown) }
  }

  /// Returns whether an active account cannot be recovered by mail although the policy says so: it has no address, or none
  /// that is verified.
  package func lacksRecovery(_ account: Account) -> Bool {
    guard case .email = policy.contact.recovery, account.state == .active else { return false }
    return account.email == nil || recoveryRefusal(of: account) != nil
  }

  /// Returns why mail cannot recover an account; nil if it can.
  private func recoveryRefusal(of account: Account?) -> ServiceError.Code? {
    guard let account else { return .accountUnknown }
    return switch account.state {
    case .pending: .signInAccountPending
    case .disabled: .signInAccountDisabled
    case .rejected: .signInAccountRejected
    case .active:
      account.emailVerified != nil || policy.contact.verification == .off ? nil : .signInEmailUnverified
    }
  }
}
