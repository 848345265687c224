// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import WebAuthnTypes

// An account without a passkey cannot confirm anything, so its owner could neither add a passkey nor export or erase the
// account. The session that removed the last passkey, which that passkey or another one confirmed, may do these three
// for a while. No other session may, and nothing but the confirmed removal of a last passkey begins the period.

extension AuthService {
  /// Returns the time until which a session may add a passkey, export its account and erase it without a confirmation,
  /// because it removed the last passkey that could confirm; nil if it may not.
  ///
  /// The period is ``ServicePolicy/replacementPeriod``, counted from the removal. Neither use nor renewal of the session
  /// extends it. It ends early with the session, and once the account has a passkey that can confirm.
  package func replacementEnd(of session: AuthenticatedSession, at time: UnixTime) -> UnixTime? {
    guard let removal = session.session.lastPasskeyRemoved else { return nil }
    let end = min(removal + policy.replacementPeriod, session.session.renewalEnd ?? session.expiry)
    return time < end ? end : nil
  }

  /// Returns the confirmation, or one without an assertion if the request presents none and the session may replace its
  /// last passkey. The store grants it only if the session still may; the action spends it like any other.
  func replacing(
    _ confirmation: PresentedConfirmation, by session: AuthenticatedSession, in context: CallContext
  ) async throws(ServiceError) -> PresentedConfirmation {
    guard confirmation.grant == nil, let removal = session.session.lastPasskeyRemoved,
      replacementEnd(of: session, at: context.time) != nil
    else { return confirmation }
    let handle = session.account.handle
    let token = try Token(at: context.time, random: random)
    let grant = StepUpGrant(
      digest: token.digest, user: handle, session: session.session.id, actionDigest: confirmation.action.digest,
      expiry: context.time + policy.grantLifetime)
    let audit = [
      try draft(
        .stepUpConfirmed, by: handle, of: handle, subject: .action(grant.actionDigest),
        details: ["assertion": "none", "reason": "last-passkey-removed", "session": "\(session.session.id)"],
        in: context)
    ]
    let isGranted = try await stored(async: await storage.grant(grant, afterRemovalAt: removal, audit: audit))
    return isGranted ? PresentedConfirmation(of: confirmation.action, grant: token) : confirmation
  }
}
