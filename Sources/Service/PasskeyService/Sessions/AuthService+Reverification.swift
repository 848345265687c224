// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnRelyingParty
package import WebAuthnTypes

extension AuthService {
  /// Begins to verify the user of a session again, without opening another session.
  ///
  /// - Parameters:
  ///   - session: The session. Authenticate it with ``AccountSession/Allowance/unverifiedUser``.
  ///   - hints: The kinds of authenticators to suggest.
  ///   - context: The time and origin of the request.
  /// - Returns: The options for `navigator.credentials.get`. They require user verification.
  /// - Throws: `session.verification-impossible` if no passkey of the account can verify its user; or a storage code.
  package func beginReverification(
    by session: AuthenticatedSession, hints: [PublicKeyCredentialHint] = [], in context: CallContext
  ) async throws(ServiceError) -> RequestOptions {
    let handle = session.account.handle
    let usable = try await verifyingPasskeys(of: handle)
    guard !usable.isEmpty else { throw ServiceError(.sessionVerificationImpossible) }
    return try await begin(
      .knownBefore(handle, credentials: offered(usable.map(\.record.descriptor))),
      for: .reverification(session.session.id), userVerification: .required, hints: hints, in: context)
  }

  /// Finishes the verification of a session's user: opens the ceremony, verifies the response, and updates
  /// ``AccountSession/verifiedAt`` and ``AccountSession/lastSeen``.
  ///
  /// - Returns: The session as it is now.
  /// - Throws: `session.verification-unknown` if the ceremony is finished, expired or another session's;
  ///   `session.verification-failed` if the response fails a step; `session.verification-refused` if the passkey is
  ///   another account's or disabled, or its signals are suspicious and the policy refuses that; `session.unknown` if the
  ///   session ended meanwhile; `sign-in.contended`; or a storage code. Show clients ``ServiceError/publicCode`` only.
  package func finishReverification(
    _ received: ReceivedAuthentication, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> AuthenticatedSession {
    let id = received.response.id
    let taken = try await resume(received, for: .reverification(session.session.id), in: context)
    do throws(ServiceError) {
      return try await reverify(received, taken, session, in: context)
    } catch {
      await recordRefusal(
        .sessionVerified, of: session.account.handle, by: session.account.handle, subject: taken.subject(id),
        error: error, spending: taken.id, in: context)
      throw error
    }
  }

  private func reverify(
    _ received: ReceivedAuthentication, _ taken: ResumedCeremony, _ session: AuthenticatedSession,
    in context: CallContext
  ) async throws(ServiceError) -> AuthenticatedSession {
    let handle = session.account.handle
    // A credential of another user fails like an unknown one.
    var passkey = taken.passkey
    for _ in 0..<Self.maximumAttemptCount {
      guard let current = passkey, current.user == handle, !current.isDisabled else {
        throw ServiceError(.sessionVerificationRefused, "the passkey is another account's or disabled")
      }
      let verified = try verifyResponse(.reverification) { () throws(CeremonyError) in
        try relyingParty.finishAuthentication(
          received, pending: taken.unsealed.authentication(), binding: taken.binding,
          credential: current.stored, at: context.time)
      }
      try requireAcceptedAttestation(of: current, orThrow: .sessionVerificationRefused, at: context.time)
      try await enforceSignalPolicy(
        of: verified, current, ending: taken, .reverification,
        refusing: (.sessionVerificationRefused, .sessionVerificationRefused), in: context)
      var commit = ReverificationCommit(
        use: CredentialUse(of: verified, replacing: current), session: session.session.id, time: context.time,
        audit: try signalDrafts(of: verified, current, in: context) + [
          draft(
            .sessionVerified, by: handle, of: handle, subject: .session(session.session.id),
            details: ["credential": "\(current.record.id)"], in: context)
        ])
      commit.ceremony = taken.id
      switch try await stored(async: await storage.reverify(commit)) {
      case .ceremonySpent: throw ServiceError(.sessionVerificationUnknown, "spent")
      case .verified(let updated):
        return AuthenticatedSession(
          session: updated, account: session.account, expiry: updated.expiry,
          isAboutToExpire: updated.expiry < context.time + policy.sessions.warning)
      case .sessionEnded: throw ServiceError(.sessionUnknown)
      case .credentialChanged: passkey = try await changed(current.record.id, in: taken, .reverification)
      }
    }
    throw ServiceError(.signInContended)
  }
}
