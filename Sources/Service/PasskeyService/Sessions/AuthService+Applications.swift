// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

// The facts about a session that the applications of a site learn.

extension AuthService {
  /// Returns how the user of a session was authenticated.
  ///
  /// - Throws: A storage code.
  package func strength(of session: AccountSession) async throws(ServiceError) -> AccountSession.Strength {
    // The store keeps the passkey that opened the session. A later verification may have used another one.
    guard session.verifiedAt == session.created else { return AccountSession.Strength(nil) }
    return AccountSession.Strength(try await stored(async: await storage.passkey(session.credential)))
  }

  /// Throws unless the user of a session has a role.
  ///
  /// - Throws: `account.not-permitted`.
  package func require(_ role: Role, of session: AuthenticatedSession) throws(ServiceError) {
    guard session.account.roles.contains(role) else { throw ServiceError(.notPermitted) }
  }

  /// Returns an open session of an active account by its identifier, with the account; nil without such a session. It does not
  /// count as a use of the session.
  ///
  /// The session's token may have been renewed or expired meanwhile: the session is open until it is ended, is idle for too
  /// long, or can no longer be renewed.
  ///
  /// - Throws: A storage code.
  package func openSession(
    _ id: AccountSessionID, of user: UserHandle, at time: UnixTime
  ) async throws(ServiceError) -> (session: AccountSession, account: Account)? {
    guard let account = try await stored(async: await storage.account(user)), account.state == .active else {
      return nil
    }
    let kept = try await stored(
      async: await storage.sessions(of: user, but: sweepBounds(at: time), keeping: id, limit: 1))
    guard let session = kept.first(where: { $0.id == id }) else { return nil }
    let sessions = policy.sessions
    let isIdle = sessions.idleLimit.map { session.lastSeen + $0 < time } ?? false
    let isOver = max(session.expiry, session.renewalEnd ?? session.expiry) < time
    let needsVerification = sessions.verificationLimit.map { session.lastSeen + $0 < time } ?? false
    return isIdle || isOver || needsVerification ? nil : (session, account)
  }
}
