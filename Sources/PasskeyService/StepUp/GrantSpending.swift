// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A grant that is shown together with an act: where it fits, it is spent in the act's own transaction.
public struct GrantSpending: Hashable, Sendable {
  /// The hash of the token that is shown.
  public var digest: TokenDigest

  /// Who acts.
  public var user: UserHandle

  /// In which session.
  public var session: SessionID

  /// SHA-256 of the canonical bytes of the act that is about to be carried out.
  public var actionDigest: [UInt8]

  /// When.
  public var time: Timestamp

  /// Whether the act takes the role of an administrator. A store looks at the account inside the transaction: a role that was
  /// taken away meanwhile is none.
  public var takesAdministrator = false

  /// Puts together what is compared.
  public init(digest: TokenDigest, user: UserHandle, session: SessionID, actionDigest: [UInt8], time: Timestamp) {
    self.digest = digest
    self.user = user
    self.session = session
    self.actionDigest = actionDigest
    self.time = time
  }

  /// Whether the grant is for this act, in this session, now. A store asks inside the transaction, where a grant that was
  /// found is deleted: also where it does not fit, so that nobody tries it on one act after another.
  public func fits(_ grant: StepUpGrant) -> Bool {
    digest == grant.digest && user == grant.user && session == grant.session && actionDigest == grant.actionDigest
      && time <= grant.expiry
  }
}
