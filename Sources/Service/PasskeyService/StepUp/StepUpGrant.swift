// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A grant as stored: the hash of its token, and everything that the confirmation is bound to.
package struct StepUpGrant: Hashable, Sendable {
  /// The token's hash, which is its key.
  package var digest: TokenDigest

  /// The account that confirmed the action.
  package var user: UserHandle

  /// The session in which it was confirmed.
  package var session: AccountSessionID

  /// The SHA-256 of the action's canonical bytes.
  package var actionDigest: [UInt8]

  /// The expiry time.
  package var expiry: UnixTime

  /// How often it was presented with another action than the confirmed one.
  package var mismatchCount: Int

  /// The answer to the action, if the grant is spent and the answer is kept.
  package var answer: [UInt8]?

  /// Creates a grant from its stored fields.
  package init(
    digest: TokenDigest, user: UserHandle, session: AccountSessionID, actionDigest: [UInt8], expiry: UnixTime,
    mismatchCount: Int = 0, answer: [UInt8]? = nil
  ) {
    self.digest = digest
    self.user = user
    self.session = session
    self.actionDigest = actionDigest
    self.expiry = expiry
    self.mismatchCount = mismatchCount
    self.answer = answer
  }
}

/// A grant that a client presents together with an action. If it matches, the store spends it in the action's own
/// transaction.
package struct GrantSpending: Hashable, Sendable {
  /// The hash of the presented token.
  package var digest: TokenDigest

  /// The account that acts.
  package var user: UserHandle

  /// The session in which the account acts.
  package var session: AccountSessionID

  /// The SHA-256 of the canonical bytes of the action about to be performed.
  package var actionDigest: [UInt8]

  /// The time of the request.
  package var time: UnixTime

  /// Whether the action requires the administrator role. The store checks the account's role inside the transaction, so
  /// a role removed in the meantime no longer counts.
  package var requiresAdministrator = false

  /// Creates a spending from its fields.
  package init(digest: TokenDigest, user: UserHandle, session: AccountSessionID, actionDigest: [UInt8], time: UnixTime)
  {
    self.digest = digest
    self.user = user
    self.session = session
    self.actionDigest = actionDigest
    self.time = time
  }

  /// Decides what becomes of the grant that the store found for the presented token. A store calls this inside its
  /// transaction, after it has deleted the grant.
  ///
  /// The grant is never valid for another action than the confirmed one. A request with another action does not spend
  /// it, so that a client that sends a wrong body can correct it. After three such requests the grant is refused.
  package func judge(_ grant: StepUpGrant) -> Judgment {
    guard digest == grant.digest, user == grant.user, session == grant.session, time <= grant.expiry else {
      return .refused
    }
    if let answer = grant.answer { return actionDigest == grant.actionDigest ? .repeated(grant, answer) : .kept(grant) }
    if actionDigest == grant.actionDigest { return .accepted }
    var kept = grant
    kept.mismatchCount += 1
    return kept.mismatchCount < Self.maximumMismatchCount ? .kept(kept) : .refused
  }

  /// The outcome of presenting a grant.
  package enum Judgment: Hashable, Sendable {
    /// It matches the action and is spent.
    case accepted
    /// The action is another one. The store keeps this grant, with its count of mismatches, and refuses the action.
    case kept(StepUpGrant)
    /// It was spent on this action before. The store keeps the grant with its answer, and performs nothing.
    case repeated(StepUpGrant, [UInt8])
    /// It belongs to another account or session, has expired, or was presented with too many other actions. It stays
    /// deleted.
    case refused
  }

  // 3 [a page that builds a body in two ways needs one more attempt; a program that guesses gets no further]
  private static let maximumMismatchCount = 3
}
