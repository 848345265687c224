// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

extension AuthService {
  /// Grants a confirmation of an action without a new assertion, for an API whose clients cannot perform a step-up. The
  /// session alone then suffices for the action, so a stolen session does too. The audit record says so.
  ///
  /// - Returns: The confirmation, valid once, in this session, for ``ServicePolicy/grantLifetime``.
  /// - Throws: `session.unknown` if the session is gone, or its passkey is disabled; `step-up.contended` under constant
  ///   concurrent use of the passkey; or a storage code.
  package func grantWithoutNewAssertion(
    for action: ProtectedAction, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> GrantedConfirmation {
    let handle = session.account.handle
    for _ in 0..<Self.maximumAttemptCount {
      guard let passkey = try await usablePasskey(of: session) else { throw ServiceError(.sessionUnknown) }
      let token = try Token(at: context.time, random: random)
      let grant = StepUpGrant(
        digest: token.digest, user: handle, session: session.session.id, actionDigest: action.digest,
        expiry: context.time + policy.grantLifetime)
      let confirmed = try draft(
        .stepUpConfirmed, by: handle, of: handle, subject: .action(action.digest),
        details: ["assertion": "none", "session": "\(session.session.id)"], in: context)
      let use = CredentialUse(
        credential: passkey.record.id, user: handle, revision: passkey.revision, signCount: passkey.record.signCount,
        backupState: passkey.record.backupState, changesRecord: false, time: passkey.lastUsed ?? passkey.created)
      let commit = StepUpCommit(use: use, grant: grant, audit: [confirmed])
      switch try await stored(async: await storage.confirm(commit)) {
      case .granted: return GrantedConfirmation(token: token, expiry: grant.expiry, actionDigest: grant.actionDigest)
      case .sessionEnded: throw ServiceError(.sessionUnknown)
      case .credentialChanged, .ceremonySpent: continue
      }
    }
    throw ServiceError(.stepUpContended)
  }

  /// Returns the passkey that opened the session or, if the user has deleted it in this session, another one of the account.
  private func usablePasskey(of session: AuthenticatedSession) async throws(ServiceError) -> Passkey? {
    let handle = session.account.handle
    if let opener = try await passkey(session.session.credential) {
      return opener.user == handle && !opener.isDisabled ? opener : nil
    }
    return try await allPasskeys(of: handle).first { !$0.isDisabled }
  }
}
