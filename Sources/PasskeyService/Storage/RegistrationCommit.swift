// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What a finished registration changes, all at once.
///
/// A store does it in this order, and stops with the first outcome that is not ``RegistrationOutcome/committed(_:)``, having
/// changed nothing; but for ``RegistrationOutcome/emailTaken``, with which ``auditIfTaken`` is sealed:
///
/// 1. The code, where one is given, is there and admits the owner (``IssuedCode/admits(_:at:)``); it is deleted.
/// 2. A new account's address is nobody's, and the account is stored; or the account is there and not disabled, and the
///    session, where the owner names one, is there still.
/// 3. The account has fewer passkeys than the limit, none of any account has the new one's id, and it is stored.
/// 4. Where that is demanded, the account's sessions end and its other passkeys are disabled. If the account is active, the
///    session is opened, where one is given.
/// 5. The audit drafts are sealed.
public struct RegistrationCommit: Sendable {
  /// Who gets the passkey.
  public enum Owner: Hashable, Sendable {
    /// Somebody who has no account yet.
    case newAccount(Account)
    /// Somebody who has one: by a recovery code, or in a session.
    case account(UserHandle, session: SessionID?)
  }

  /// Who gets the passkey.
  public var owner: Owner

  /// The passkey.
  public var passkey: Passkey

  /// The code that is spent.
  public var code: TokenDigest?

  /// The session that is opened.
  public var opening: SessionOpening?

  /// How many passkeys an account may have.
  public var maximumPasskeyCount: Int

  /// Whether the sessions that the account has end.
  public var endsSessions = false

  /// Whether the passkeys that the account has are disabled.
  public var disablesOtherPasskeys = false

  /// When.
  public var time: Timestamp

  /// What is recorded.
  public var audit: [AuditDraft]

  /// What is recorded instead where the address is taken, so that both take one transaction.
  public var auditIfTaken: [AuditDraft]

  /// Puts together what is written.
  public init(
    owner: Owner, passkey: Passkey, code: TokenDigest?, opening: SessionOpening?, maximumPasskeyCount: Int,
    time: Timestamp, audit: [AuditDraft], auditIfTaken: [AuditDraft] = []
  ) {
    self.owner = owner
    self.passkey = passkey
    self.code = code
    self.opening = opening
    self.maximumPasskeyCount = maximumPasskeyCount
    self.time = time
    self.audit = audit
    self.auditIfTaken = auditIfTaken
  }
}

/// What became of a registration.
public enum RegistrationOutcome: Hashable, Sendable {
  /// It is stored, and the account is so now. The session was opened if the account is active.
  case committed(Account)
  /// The code is not there, too old, or for somebody else.
  case codeRefused
  /// Somebody has the address.
  case emailTaken
  /// The account is not there, or disabled.
  case accountRefused
  /// The session has ended.
  case sessionEnded
  /// The account has as many passkeys as it may.
  case tooMany
  /// Somebody has a passkey with this id.
  case credentialKnown
}
