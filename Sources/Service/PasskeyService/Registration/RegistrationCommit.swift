// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// The changes of a finished registration, committed in one transaction.
///
/// The transaction performs these steps in sequence and stops at the first refusal. Then it changes nothing, except that it
/// stores ``verificationIfTaken`` and ``auditIfTaken`` if the address is taken.
///
/// The ceremony is spent with every outcome.
///
/// 0. Check that the ceremony, if given, is not spent, and spend it. Check that the completed email ceremony, if given, exists and has not expired, and delete it.
/// 1. Check that the code, if given, exists and admits the owner (``IssuedCode/admits(_:at:)``), and delete it.
/// 2. For a new account, check that its user name and then its address is free, and store it. For an existing account,
///    check that it exists and is not closed, and that the owner's session, if named, still exists.
/// 3. Check that the account has fewer passkeys than the limit and that the new credential ID is not registered to any
///    account. Store the passkey. If it can confirm an action (``Passkey/canConfirm``), clear
///    ``AccountSession/lastPasskeyRemoved`` of all sessions of the account.
/// 4. For an existing account without a session, delete its pending recoveries by mail. Store the verification, if given.
/// 5. If requested, end the account's sessions and disable its other passkeys. If the account's state admits
///    the session, if given, open it (``SessionOpening/isAdmitted(by:)``).
/// 6. Store the client and the locale of an existing account, if given. Store the audit drafts.
package struct RegistrationCommit: Sendable {
  /// The ceremony to spend; nil for a commit that finishes none.
  package var ceremony: CeremonyID?

  /// The account that gets the passkey.
  package enum Owner: Hashable, Sendable {
    /// A new account.
    case newAccount(Account)
    /// An existing account, by a recovery code or in a session.
    case account(UserHandle, session: AccountSessionID?)
  }

  /// The account that gets the passkey.
  package var owner: Owner

  /// The new passkey.
  package var passkey: Passkey

  /// The one-time code to spend.
  package var code: TokenDigest?

  /// The email ceremony that the registration completes.
  package var completedEmail: EmailCeremonyID?

  /// The verification of the new account's address that begins.
  package var verification: EmailCeremonyStart?

  /// The decoy to store instead if the address is taken, so that both cases take the same work.
  package var verificationIfTaken: EmailCeremonyStart?

  /// The session to open.
  package var opening: SessionOpening?

  /// The client to store, in place of the same one with another expiry; nil for none.
  package var client: KnownClient?

  /// The locale to store, if an existing account lacked a part of it; nil for none.
  package var locale: MailLocale?

  /// The maximum number of passkeys of an account.
  package var maximumPasskeyCount: Int

  /// Whether to end the account's existing sessions.
  package var endsSessions = false

  /// Whether to disable the account's existing passkeys.
  package var disablesOtherPasskeys = false

  /// The time of the registration.
  package var time: UnixTime

  /// The audit drafts.
  package var audit: [AuditDraft]

  /// The audit drafts to store instead if the address is taken, so that both cases take one transaction.
  package var auditIfTaken: [AuditDraft]

  /// Creates a commit from its fields.
  package init(
    owner: Owner, passkey: Passkey, code: TokenDigest?, opening: SessionOpening?, maximumPasskeyCount: Int,
    time: UnixTime, audit: [AuditDraft], auditIfTaken: [AuditDraft] = []
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
