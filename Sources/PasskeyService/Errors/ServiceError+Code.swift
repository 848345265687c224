// SPDX-License-Identifier: Apache-2.0

extension ServiceError {
  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    // The service itself
    /// Nothing could succeed with what was configured.
    case configurationInvalid = "service.configuration-invalid"
    /// The store is another relying party's.
    case storePartyDiffers = "service.store-party-differs"
    /// The store's servers have another secret.
    case storeSecretDiffers = "service.store-secret-differs"
    /// There are no random bytes.
    case randomnessUnavailable = "service.randomness-unavailable"
    /// The store cannot be used now. Nothing was changed; it can be tried again later.
    case storageUnavailable = "service.storage-unavailable"
    /// The store has no room left. Nothing was changed.
    case storageFull = "service.storage-full"
    /// Others were changing the same. Nothing was changed; it can be tried again at once.
    case storageContended = "service.storage-contended"
    /// The store's answer was lost: look before you try again.
    case storageOutcomeUnknown = "service.storage-outcome-unknown"
    /// The store does not work.
    case storageFailed = "service.storage-failed"

    // Making accounts and passkeys
    /// The registration was refused.
    case signUpRefused = "sign-up.refused"
    /// There is no such registration: it was finished, is too old, or was begun by somebody else.
    case signUpCeremonyUnknown = "sign-up.ceremony-unknown"
    /// The registration's ceremony failed; the cause tells why.
    case signUpCeremonyFailed = "sign-up.ceremony-failed"
    /// An account is made by invitation only, and no code came.
    case signUpInvitationRequired = "sign-up.invitation-required"
    /// The one-time code is none, is too old, was used, or is for somebody else.
    case signUpCodeRefused = "sign-up.code-refused"
    /// The address has an account.
    case signUpEmailTaken = "sign-up.email-taken"
    /// The account that was to get a passkey is not there, or disabled.
    case signUpAccountRefused = "sign-up.account-refused"
    /// The credential is registered already.
    case signUpCredentialKnown = "sign-up.credential-known"

    // Signing in
    /// The sign-in was refused.
    case signInRefused = "sign-in.refused"
    /// There is no such sign-in: it was finished, is too old, or was begun by somebody else.
    case signInCeremonyUnknown = "sign-in.ceremony-unknown"
    /// The sign-in's ceremony failed; the cause tells why.
    case signInCeremonyFailed = "sign-in.ceremony-failed"
    /// Nobody has the credential.
    case signInCredentialUnknown = "sign-in.credential-unknown"
    /// The credential was disabled.
    case signInCredentialDisabled = "sign-in.credential-disabled"
    /// There may be two of the credential, and the policy refuses that.
    case signInCloneSuspected = "sign-in.clone-suspected"
    /// Whether the credential may be backed up changed, and the policy refuses that.
    case signInBackupEligibilityChanged = "sign-in.backup-eligibility-changed"
    /// The person is who they say, and an administrator has to approve the account first.
    case signInAccountPending = "sign-in.account-pending"
    /// The person is who they say, and the account was disabled.
    case signInAccountDisabled = "sign-in.account-disabled"
    /// The credential was used again and again meanwhile; it can be tried again from the beginning.
    case signInContended = "sign-in.contended"

    // Sessions
    /// There is no such session: no token, one that is none, or one whose session has ended.
    case sessionUnknown = "session.unknown"
    /// The session's time is over.
    case sessionExpired = "session.expired"
    /// The session was not used for too long.
    case sessionIdle = "session.idle"
    /// The account of the session may not be used now.
    case sessionAccountRefused = "session.account-refused"
    /// The refresh token is none, is too old, or its session has ended.
    case sessionRenewalRefused = "session.renewal-refused"
    /// The refresh token had been used before, and its session was ended.
    case sessionRefreshTokenReused = "session.refresh-token-reused"

    // Step-up
    /// The act needs a confirmation of its own.
    case stepUpRequired = "step-up.required"
    /// The confirmation that was shown is not for this act, in this session, now; or it was spent.
    case stepUpGrantRefused = "step-up.grant-refused"
    /// The act is not described as an act is.
    case stepUpActionInvalid = "step-up.action-invalid"
    /// The confirmation was refused.
    case stepUpRefused = "step-up.refused"
    /// There is no such step-up: it was finished, is too old, or was begun in another session.
    case stepUpCeremonyUnknown = "step-up.ceremony-unknown"
    /// The step-up's ceremony failed; the cause tells why.
    case stepUpCeremonyFailed = "step-up.ceremony-failed"
    /// The passkey is none of the account's, or was disabled.
    case stepUpCredentialRefused = "step-up.credential-refused"
    /// There may be two of the credential, and the policy refuses that.
    case stepUpCloneSuspected = "step-up.clone-suspected"
    /// Whether the credential may be backed up changed, and the policy refuses that.
    case stepUpBackupEligibilityChanged = "step-up.backup-eligibility-changed"
    /// The credential was used again and again meanwhile; it can be tried again from the beginning.
    case stepUpContended = "step-up.contended"
    /// The account has no passkey that can confirm an act: enabled, and with user verification that counts as a factor.
    case stepUpImpossible = "step-up.impossible"

    // Passkeys
    /// The account has no such passkey, whoever else has.
    case credentialUnknown = "passkey.unknown"
    /// It is the account's last passkey that can be used, without which nobody gets in.
    case credentialLast = "passkey.last"
    /// The account has as many passkeys as it may.
    case credentialTooMany = "passkey.too-many"
    /// The name is no name.
    case credentialNameInvalid = "passkey.name-invalid"

    // Devices
    /// The account has no such device.
    case deviceUnknown = "device.unknown"
    /// The account has as many devices as it may.
    case deviceTooMany = "device.too-many"
    /// The device's token, or the name of its service, is none.
    case deviceInvalid = "device.invalid"

    // Accounts
    /// There is no such account.
    case accountUnknown = "account.unknown"
    /// The account is not in a state from which that leads.
    case accountStateConflict = "account.state-conflict"
    /// Nobody could administer afterwards.
    case accountLastAdministrator = "account.last-administrator"
    /// The address has an account.
    case accountEmailTaken = "account.email-taken"
    /// What was given is no e-mail address.
    case emailInvalid = "account.email-invalid"
    /// What was given are no roles.
    case roleInvalid = "account.role-invalid"
    /// The account has not the role that this takes.
    case notPermitted = "account.not-permitted"

    // The audit trail
    /// A record is not one.
    case auditRecordMalformed = "audit.record-malformed"
    /// A record is missing, or there twice.
    case auditSequenceBroken = "audit.sequence-broken"
    /// A record does not follow the one before it: one of the two was changed.
    case auditLinkBroken = "audit.link-broken"
    /// A personal detail is not what was recorded.
    case auditDetailMismatch = "audit.detail-mismatch"
    /// The chain ends where it should not: records were cut off or put on.
    case auditHeadMismatch = "audit.head-mismatch"
    /// A record or a detail is filed under something else than it says: it would not be found, or not be erased.
    case auditFilingMismatch = "audit.filing-mismatch"
    /// A record is filed behind the end of the trail.
    case auditBehindEnd = "audit.behind-end"
    /// A personal detail belongs to a record that is not there.
    case auditDetailOrphaned = "audit.detail-orphaned"
    /// A record has the same personal detail twice.
    case auditDetailRepeated = "audit.detail-repeated"
    /// The end of the trail has no seal: a server that did not seal wrote it, or the seal was deleted.
    case auditSealMissing = "audit.seal-missing"
    /// The end of the trail was not sealed with this server's secret: records were cut off or rewritten.
    case auditSealMismatch = "audit.seal-mismatch"
    /// The audit log cannot be written, and the server was told to refuse requests meanwhile.
    case auditLogUnavailable = "audit.log-unavailable"
  }

  /// What an outsider is told: the code, or a wider one where the code would tell who has an account or a credential, or
  /// which part of an answer was wrong.
  public var publicCode: Code {
    switch code {
    case .signUpCeremonyFailed, .signUpEmailTaken, .signUpAccountRefused, .signUpCredentialKnown: .signUpRefused
    case .signInCeremonyFailed, .signInCredentialUnknown, .signInCredentialDisabled, .signInCloneSuspected,
      .signInBackupEligibilityChanged:
      .signInRefused
    case .stepUpCeremonyFailed, .stepUpCredentialRefused, .stepUpCloneSuspected, .stepUpBackupEligibilityChanged:
      .stepUpRefused
    case .sessionRefreshTokenReused: .sessionRenewalRefused
    default: code
    }
  }
}
