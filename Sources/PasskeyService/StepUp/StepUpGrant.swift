// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A grant as stored: the hash of its token, and everything that the confirmation is bound to.
public struct StepUpGrant: Hashable, Sendable {
  /// The token's hash, which is its key.
  public var digest: TokenDigest

  /// The account that confirmed the action.
  public var user: UserHandle

  /// The session in which it was confirmed.
  public var session: SessionID

  /// The SHA-256 of the action's canonical bytes.
  public var actionDigest: [UInt8]

  /// The expiry time.
  public var expiry: Timestamp

  /// Creates a grant from its stored fields.
  public init(
    digest: TokenDigest, user: UserHandle, session: SessionID, actionDigest: [UInt8], expiry: Timestamp
  ) {
    self.digest = digest
    self.user = user
    self.session = session
    self.actionDigest = actionDigest
    self.expiry = expiry
  }
}

/// A grant that a client presents together with an action. If it matches, the store spends it in the action's own
/// transaction.
public struct GrantSpending: Hashable, Sendable {
  /// The hash of the presented token.
  public var digest: TokenDigest

  /// The account that acts.
  public var user: UserHandle

  /// The session in which the account acts.
  public var session: SessionID

  /// The SHA-256 of the canonical bytes of the action about to be performed.
  public var actionDigest: [UInt8]

  /// The time of the request.
  public var time: Timestamp

  /// Whether the action requires the administrator role. The store checks the account's role inside the transaction, so
  /// a role removed in the meantime no longer counts.
  public var requiresAdministrator = false

  /// Creates a spending from its fields.
  public init(digest: TokenDigest, user: UserHandle, session: SessionID, actionDigest: [UInt8], time: Timestamp) {
    self.digest = digest
    self.user = user
    self.session = session
    self.actionDigest = actionDigest
    self.time = time
  }

  /// Returns whether the grant is valid for this action, session and time. A store calls this inside its transaction
  /// and deletes the grant that it found in either case, so that a client cannot try one grant on several actions.
  public func matches(_ grant: StepUpGrant) -> Bool {
    digest == grant.digest && user == grant.user && session == grant.session && actionDigest == grant.actionDigest
      && time <= grant.expiry
  }
}
